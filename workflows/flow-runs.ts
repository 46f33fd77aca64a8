import { CancellationScope, condition, isCancellation, log } from '@temporalio/workflow';
import type { TokenAnswer } from '../domain/answer';
import { cancelRun, runningRun } from '../domain/flows/cancel-run';
import { earlierAnswer } from '../domain/flows/earlier-answer';
import { type FlowRun, isRunning, type RunPlan, sendsAtOnce } from '../domain/flows/run';
import { askedBy, runOf } from '../domain/flows/runs';
import { startRun } from '../domain/flows/start-run';
import { type RunView, viewRun } from '../domain/flows/view-run';
import { failure } from '../domain/failures';
import type { BiometricsLinks } from './biometrics';
import type { Confirmations } from './confirmations';
import type { FlowAnswered, FlowTold, RunsProposed } from './contract';
import { FlowSteps } from './steps/flow-steps';
import { type Life, now } from './life';
import { refusal } from './refusal';

/** The runs of flows of one transaction: what handlers do, and the way of each run beside them. */
export class FlowRuns {
  readonly #steps: FlowSteps;
  /** One scope per run on its way. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(
    private readonly life: Life,
    private readonly confirmations: Confirmations,
    private readonly links: BiometricsLinks,
  ) {
    this.#steps = new FlowSteps(life, confirmations, links);
  }

  /** Whether a step is being begun, which the workflow may not leave half done. */
  get busy(): boolean {
    return this.#steps.busy;
  }

  /** Goes on with the runs of a state that was carried over. */
  resume(): void {
    for (const run of this.life.state.runs ?? []) if (isRunning(run)) this.#goOn(run.id);
  }

  checkStart(plan: RunPlan): void {
    if (runOf(this.life.state, plan.runId)) return;
    const started = startRun(this.life.state, plan, now());
    if ('refused' in started) throw refusal(started.refused);
  }

  /** Begins a run, and answers when its first step was begun: a first message was tried once. */
  async start(plan: RunPlan): Promise<RunView> {
    // A key whose answer is no longer remembered proposes the run that it began: there is one run of an id.
    if (runOf(this.life.state, plan.runId)) return this.#viewOnceBegun(plan.runId);
    const started = startRun(this.life.state, plan, now());
    if ('refused' in started) throw refusal(started.refused);
    if (plan.searchedWithRecord && sendsAtOnce(plan)) this.life.searchWithRecord();
    this.life.change(started.state);
    this.#goOn(plan.runId);
    await this.#untilBegun(plan.runId);
    // A step that asks keeps the record itself; one that was left at once, or is put off, has kept nothing yet.
    const { path, awaiting } = runOf(this.life.state, plan.runId) ?? started.run;
    if (path.length > 1 || !awaiting) await this.life.save();
    return this.#view(plan.runId);
  }

  /** A run may end, or be ended, before its first step was begun. */
  async #untilBegun(runId: string): Promise<void> {
    const over = () => !this.life.state.runs?.some((run) => run.id === runId && isRunning(run));
    await condition(() => this.#steps.begun(runId) || over());
  }

  async #viewOnceBegun(runId: string): Promise<RunView> {
    await this.#untilBegun(runId);
    return this.#view(runId);
  }

  #recalled({ runIds }: RunsProposed): FlowRun {
    const run = this.life.state.runs?.find(({ id }) => runIds.includes(id));
    if (!run) throw refusal(failure('RunNotFound', 'The transaction has no such run.'));
    return run;
  }

  checkRecall(asked: RunsProposed): void {
    this.#recalled(asked);
  }

  /** The run that a key has begun. It is in the state before its first message is sent, and in the record only after. */
  async recall(asked: RunsProposed): Promise<RunView> {
    return this.#viewOnceBegun(this.#recalled(asked).id);
  }

  checkAnswer({ runId, digests }: FlowAnswered): void {
    const earlier = earlierAnswer(this.life.state, runId, digests, now());
    if (earlier) throw refusal(earlier);
    this.confirmations.checkAnswer(this.#valueOf(runId, digests));
  }

  /** Tries a value on the code that a run waits for. */
  async answer({ runId, digests }: FlowAnswered, guessId: string): Promise<{ answer: TokenAnswer; run: RunView }> {
    const answer = await this.confirmations.answer(this.#valueOf(runId, digests), guessId);
    return { answer, run: this.#view(runId) };
  }

  #valueOf(runId: string, digests: FlowAnswered['digests']) {
    const asked = askedBy(this.life.state, this.#running(runId));
    const digest = asked && digests[asked.flow.name];
    if (asked?.flow.kind !== 'token' || digest === undefined)
      throw refusal(failure('NothingToAnswer', 'The run waits for no code.'));
    return { flow: asked.flow.name, digest };
  }

  checkResend({ runId }: FlowTold): void {
    this.#steps.checkAgain(this.#running(runId));
  }

  /** Sends the message of the step that waits once more. */
  async resend({ runId }: FlowTold): Promise<RunView> {
    await this.#steps.askAgain(this.#running(runId));
    return this.#view(runId);
  }

  checkCancel({ runId }: FlowTold): void {
    this.#running(runId);
  }

  /** Ends a run where it is. */
  async cancel({ runId }: FlowTold): Promise<RunView> {
    const canceled = cancelRun(this.life.state, runId, now());
    if ('refused' in canceled) throw refusal(canceled.refused);
    this.life.change(canceled.state);
    this.#scopes.get(runId)?.cancel();
    this.#closeWhatIsOver();
    await this.life.save();
    return this.#view(runId);
  }

  /** Ends every run where it is: an operator canceled the transaction. Tells whether there was one. */
  end(): boolean {
    const running = (this.life.state.runs ?? []).filter(isRunning);
    for (const { id } of running) {
      const canceled = cancelRun(this.life.state, id, now(), 'EndedByOperator');
      if ('state' in canceled) this.life.change(canceled.state);
    }
    this.#closeWhatIsOver();
    return running.length > 0;
  }

  /** A fault of ours ends the run, and leaves the transaction to everything else that is asked of it. */
  async #giveUp(runId: string, error: unknown): Promise<void> {
    log.error('a run of a flow was given up', { runId, failure: error instanceof Error ? error.name : 'unknown' });
    const canceled = cancelRun(this.life.state, runId, now(), 'FaultOfService');
    if ('refused' in canceled) return;
    this.life.change(canceled.state);
    this.#closeWhatIsOver();
    await CancellationScope.nonCancellable(() => this.life.save());
  }

  #closeWhatIsOver(): void {
    this.confirmations.closeWhatIsOver();
    this.links.closeWhatIsOver();
  }

  #running(runId: string): FlowRun {
    const found = runningRun(this.life.state, runId);
    if ('refused' in found) throw refusal(found.refused);
    return found.run;
  }

  #view(runId: string): RunView {
    const run = runOf(this.life.state, runId);
    if (!run) throw refusal(failure('RunNotFound', 'The transaction has no such run.'));
    return viewRun(this.life.state, run);
  }

  /** Takes a run from step to step until it ends. */
  #goOn(runId: string): void {
    const scope = this.life.newScope();
    this.#scopes.set(runId, scope);
    void scope
      .run(async () => {
        for (;;) {
          const run = runOf(this.life.state, runId);
          if (!run || !isRunning(run)) return;
          await this.#steps.take(run);
        }
      })
      .catch((error: unknown) => (isCancellation(error) ? undefined : this.#giveUp(runId, error)))
      .finally(() => this.#scopes.delete(runId));
  }
}
