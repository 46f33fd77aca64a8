import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowRun } from '../../domain/flows/run';
import { type RunView, viewRun } from '../../domain/flows/view-run';
import { deriveCode } from '../../messages/codes';
import { testKeys } from './build';
import type { StepExit } from './flow-paths';
import type { TestTransaction, World } from './world';

/** Drives a flow run along a path: acts as the person and the reviewer, skips time, and sets the results of activities. */
export class FlowDriver {
  private constructor(
    private readonly world: World,
    readonly transaction: TestTransaction,
    readonly flow: FlowDefinition,
    readonly run: RunView,
    private readonly path: readonly StepExit[],
  ) {}

  /** Starts the flow in a new transaction. The driver follows `path` only when `followPath` is called. */
  static async start(world: World, flow: FlowDefinition, path: readonly StepExit[] = []): Promise<FlowDriver> {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    const { activities } = world;
    const exitsOf = (step: string) => path.filter(([name]) => name === step).map(([, exit]) => exit);
    // A path can visit a step several times. The provider rejects the message of each visit with the exit `Failed`.
    const requestKeys: string[] = [];
    activities.deliveryResultFor = ({ confirmationOrLinkId: confirmationId, settings: { origin = '' } }) => {
      const requestKey = `${origin} ${confirmationId}`;
      if (!requestKeys.includes(requestKey)) requestKeys.push(requestKey);
      const index = requestKeys.filter((one) => one.startsWith(`${origin} `)).indexOf(requestKey);
      return exitsOf(origin.split('/')[1] ?? '')[index] === 'Failed' ? 'DestinationRefused' : 'accept';
    };
    activities.deliveryCheckFor = ({ sendIds: [sendId = ''] }) => {
      const message = activities.messages.find((one) => one.sendId === sendId);
      const { confirmationOrLinkId = '', settings: { origin = '' } = {} } = message ?? {};
      const index = requestKeys
        .filter((one) => one.startsWith(`${origin} `))
        .indexOf(`${origin} ${confirmationOrLinkId}`);
      return exitsOf(origin.split('/')[1] ?? '')[index] === 'Undelivered' ? 'missing' : 'delivered';
    };
    activities.webhookResultFor = ({ key }) => {
      const [, exit] = path[Number(key.split('/').at(-1)) - 1] ?? [];
      return exit === 'Failed' ? 'Parked' : 'accept';
    };
    const ruleExits = path.filter(([name]) => flow.steps[name]?.kind === 'decide').map(([, exit]) => exit);
    activities.findMatchingRule = () => {
      const exit = ruleExits.shift() ?? 'else';
      return exit === 'else' ? null : Number(exit) - 1;
    };
    return new FlowDriver(world, transaction, flow, await transaction.startFlow(flow), path);
  }

  /** Returns when the flow run is in the step after the path. */
  async followPath(): Promise<void> {
    for (const [index, [step, exit]] of this.path.entries()) await this.#leaveStep(index + 1, step, exit);
    await this.#waitUntil((run) => run.path.length > this.path.length);
  }

  async readRun(): Promise<FlowRun> {
    const run = (await this.transaction.readState()).runs?.at(-1);
    if (!run) throw new Error('There is no run.');
    return run;
  }

  /** Waits until the step awaits an answer and its message is sent, or until the flow run ends. */
  async waitUntilAwaiting(): Promise<RunView> {
    await this.#waitUntil(({ status, awaiting }) => {
      if (awaiting && 'confirmationId' in awaiting)
        return this.transaction
          .messages()
          .some(({ confirmationOrLinkId: confirmationId }) => confirmationId === awaiting.confirmationId);
      return awaiting !== undefined || status !== 'Running';
    });
    return viewRun(await this.transaction.readState(), await this.readRun());
  }

  /** The code of the newest message. */
  get code(): string {
    const { confirmationOrLinkId, codeId = confirmationOrLinkId, settings } = this.transaction.lastMessage();
    return deriveCode(testKeys, this.transaction.id, codeId, settings.codeDigits);
  }

  get wrongCode(): string {
    return this.code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  }

  async #waitUntil(condition: (run: FlowRun) => boolean): Promise<void> {
    for (let attempt = 0; attempt < 200 && !condition(await this.readRun()); attempt += 1)
      await this.world.env.sleep(1_000);
  }

  async #sleepUntilDeadline(): Promise<void> {
    const { awaited } = await this.waitUntilAwaiting();
    const deadline = awaited && ('until' in awaited ? awaited.until : awaited.expiresAt);
    await this.world.env.sleep(Math.max(1, Date.parse(deadline ?? '') - (await this.world.env.currentTimeMs())));
  }

  async #leaveStep(visitCount: number, name: string, exit: string): Promise<void> {
    await this.#waitUntil((run) => run.path.length >= visitCount);
    const step = this.flow.steps[name];
    if (step?.kind === 'wait') return this.#sleepUntilDeadline();
    if (step?.kind === 'biometrics') return this.#leaveBiometrics(exit);
    if (step?.kind !== 'confirm' || exit === 'Failed') return;
    const { runId } = await this.waitUntilAwaiting();
    if (exit === 'Undelivered') return;
    if (exit === 'Expired') await this.#sleepUntilDeadline();
    else if (exit === 'Valid') await this.transaction.answerFlow(runId, this.code);
    else if (exit === 'Blocked')
      for (let attemptsLeft = step.attemptLimit ?? 0; attemptsLeft > 0; attemptsLeft -= 1)
        await this.transaction.answerFlow(runId, this.wrongCode);
    else
      await this.transaction.reply(this.transaction.lastMessage().confirmationOrLinkId, {
        option: this.#optionOf(exit),
      });
  }

  #optionOf(exit: string): number {
    const { options = [] } = this.transaction.lastMessage().settings;
    return options.find(({ name }) => name === exit)?.option ?? 0;
  }

  async #leaveBiometrics(exit: string): Promise<void> {
    const { awaited } = await this.waitUntilAwaiting();
    const id = awaited && 'biometricsId' in awaited ? awaited.biometricsId : '';
    if (exit === 'Canceled') return void (await this.transaction.eraseImages());
    if (exit === 'Abandoned') await this.transaction.sendPageAction(id, 'mine', { action: 'open' });
    if (exit === 'Expired' || exit === 'Abandoned') return this.#sleepUntilDeadline();
    await this.transaction.submitImages(id);
    if (exit === 'Undecided') return this.#sleepUntilDeadline();
    await this.transaction.decide(id, exit as 'Approved' | 'Rejected' | 'Inconclusive');
  }
}
