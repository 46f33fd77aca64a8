import { ApplicationFailure, condition, isCancellation, sleep, uuid4 } from '@temporalio/workflow';
import type { DecideStep, NotifyStep, WaitStep } from '../domain/flows/definition';
import { isDue } from '../domain/confirmation';
import { factsOf } from '../domain/flows/facts-of';
import { left, leftBy, unbegun } from '../domain/flows/move';
import { answersOf, type Awaiting, type FlowRun, isRunning, stepOf, visitsOf } from '../domain/flows/run';
import { askedBy, runOf, withRun } from '../domain/flows/runs';
import { decisionDueAt } from '../domain/flows/view-run';
import { requestConfirmation } from '../domain/request';
import { startBiometrics } from '../domain/biometrics/link';
import type { TransactionState } from '../domain/state';
import { failure } from '../domain/failures';
import { chooseRule, digestCode, hashLink, notifyCaller } from './activities';
import type { BiometricsLinks } from './biometrics';
import type { Confirmations } from './confirmations';
import { type Life, now } from './life';
import type { RulesToChooseFrom } from './ports';
import { refusal } from './refusal';

/** Of a condition that stands for its own reason: a path stays small. */
const reasonMost = 120;

type Running = FlowRun & { plan: NonNullable<FlowRun['plan']> };

const inMs = (instant: string) => Math.max(1, Date.parse(instant) - Date.now());
const later = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1_000).toISOString();

/** What a run does in each kind of step. */
export class FlowSteps {
  /** Runs whose first step was begun. */
  readonly #begun = new Set<string>();
  #underWay = 0;

  constructor(
    private readonly life: Life,
    private readonly confirmations: Confirmations,
    private readonly links: BiometricsLinks,
  ) {}

  /** Whether a step is being begun. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  begun(runId: string): boolean {
    return this.#begun.has(runId);
  }

  /** Begins the step that a run is in, or waits for what ends it. Returns when the run may have moved. */
  async take(run: Running): Promise<void> {
    const step = run.plan.flow.steps[stepOf(run)];
    if (!step || step.kind === 'outcome') throw new Error(`Run ${run.id} has no step to take.`);
    if (run.awaiting) return this.#wait(run, run.awaiting);
    if (step.kind === 'confirm') await this.#during(run, () => this.#confirm(run));
    else if (step.kind === 'biometrics') await this.#during(run, () => this.#takePictures(run));
    else if (step.kind === 'decide') await this.#during(run, () => this.#decide(run, step));
    else if (step.kind === 'wait') await this.#during(run, () => this.#beginWait(run, step));
    else await this.#notify(run, step);
  }

  async #during(run: FlowRun, work: () => Promise<void>): Promise<void> {
    this.#underWay += 1;
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      this.#begun.add(run.id);
    }
  }

  /** The run as it is now, while it is still in the same stay in the same step. */
  #same(run: FlowRun): Running | undefined {
    const known = runOf(this.life.state, run.id);
    return known && isRunning(known) && known.path.length === run.path.length ? known : undefined;
  }

  readonly #awaiting = (run: FlowRun, awaiting: Awaiting) => (state: TransactionState) => {
    const known = runOf(state, run.id);
    return known ? withRun(state, { ...known, awaiting }) : state;
  };

  /** Moves the run, unless it has moved or ended meanwhile. What ends it is kept at once; the next step keeps all else. */
  async #leave(run: FlowRun, move: (known: Running) => FlowRun): Promise<void> {
    const known = this.#same(run);
    if (!known) return;
    this.#underWay += 1;
    try {
      const moved = move(known);
      this.life.change(withRun(this.life.state, moved));
      if (!isRunning(moved)) await this.life.save();
    } finally {
      this.#underWay -= 1;
    }
  }

  async #leaveBy(run: FlowRun, exit: string, reason?: string): Promise<void> {
    await this.#leave(run, (known) => leftBy(known, exit, now(), reason));
  }

  async #confirm(run: Running): Promise<void> {
    const known = run.path.length === 1 ? run.plan.first : undefined;
    const proposed = await this.#proposalOf(run, known);
    if (!this.#same(run)) return;
    const tried = requestConfirmation(this.life.state, proposed, now());
    if ('refused' in tried) return this.#refusedBy(run, tried.refused.type, tried.refused.details.retryAfterSeconds);
    try {
      await this.confirmations.ask(proposed, this.#awaiting(run, { confirmationId: proposed.confirmationId }));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ApplicationFailure)) throw error;
      await this.#leaveBy(run, 'Failed', error.type ?? 'Refused');
    }
  }

  /** A channel that was just used is waited for; anything else that is certain to be refused ends the step. */
  async #refusedBy(run: FlowRun, type: string, retryAfterSeconds?: number): Promise<void> {
    if (type !== 'ResendTooSoon') return this.#leaveBy(run, 'Failed', type);
    await this.#waitFor(run, retryAfterSeconds ?? 1);
  }

  async #proposalOf(run: Running, known?: { confirmationId: string; digest: string }) {
    const proposal = run.plan.confirmations[stepOf(run)];
    if (!proposal) throw new Error(`Run ${run.id} has no proposal for ${stepOf(run)}.`);
    if (known) return { ...proposal, ...known };
    const confirmationId = uuid4();
    if (proposal.flow.kind !== 'token') return { ...proposal, confirmationId };
    const { name, codeDigits = 6 } = proposal.flow;
    const asked = { transactionId: this.life.state.id, confirmationId, name, codeDigits };
    const { digest } = await this.life.alone(() => digestCode(asked));
    return { ...proposal, confirmationId, digest };
  }

  checkAgain(run: FlowRun): void {
    const asked = askedBy(this.life.state, run);
    // What is due is over, even when its timer has not told yet: asking again would be asking anew.
    if (!asked || isDue(asked, now()))
      throw refusal(failure('NothingToAnswer', 'The run waits for no answer to a message.'));
    const proposal = run.plan?.confirmations[stepOf(run)];
    const tried = proposal && requestConfirmation(this.life.state, { ...proposal, confirmationId: 'next' }, now());
    if (tried && 'refused' in tried) throw refusal(tried.refused);
  }

  /** Sends the message of a step that waits once more. */
  async askAgain(run: FlowRun): Promise<void> {
    this.checkAgain(run);
    if (!isRunning(run)) return;
    const proposed = await this.#proposalOf(run);
    const before = this.#same(run);
    if (!before) throw refusal(failure('RunOver', 'The run has moved on.'));
    this.checkAgain(before);
    try {
      await this.confirmations.ask(proposed, (state, confirmation) =>
        this.#awaiting(run, { confirmationId: confirmation.id })(state),
      );
    } catch (error) {
      await this.#awaitAgain(before);
      throw error;
    }
  }

  /** When a new code was taken back because its message was refused, the one before it is awaited again. */
  async #awaitAgain(before: Running): Promise<void> {
    const known = this.#same(before);
    if (!known || !before.awaiting || askedBy(this.life.state, known)) return;
    this.life.change(this.#awaiting(before, before.awaiting)(this.life.state));
    await this.life.save();
  }

  async #takePictures(run: Running): Promise<void> {
    const proposal = run.plan.links[stepOf(run)];
    if (!proposal) throw new Error(`Run ${run.id} has no link for ${stepOf(run)}.`);
    const biometricsId = uuid4();
    const { tenant, id: transactionId } = this.life.state;
    const { tokenHash } = await this.life.alone(() => hashLink({ tenant, transactionId, biometricsId }));
    if (!this.#same(run)) return;
    const proposed = { ...proposal, biometricsId, tokenHash };
    const tried = startBiometrics(this.life.state, proposed, now());
    if ('refused' in tried) {
      const { type, details } = tried.refused;
      if (type === 'ResendTooSoon') return this.#refusedBy(run, type, details.retryAfterSeconds);
      return this.#leaveBy(run, 'Canceled', type);
    }
    await this.links.ask(proposed, this.#awaiting(run, { biometricsId }));
  }

  /** Evidence first: a condition on a score that is not made yet would decide by nothing. */
  async #decide(run: Running, step: DecideStep): Promise<void> {
    await condition(() => this.life.state.evidence !== undefined);
    const facts = factsOf(this.life.state, answersOf(run), visitsOf(run), now());
    const conditions = step.rules.map(({ when }) => when);
    const rule = await this.#ruleOf({ conditions, facts });
    const chosen = typeof rule === 'number' ? step.rules[rule] : undefined;
    const leaving = chosen
      ? {
          exit: String(Number(rule) + 1),
          to: chosen.then,
          reason: (chosen.because ?? chosen.when).slice(0, reasonMost),
        }
      : { exit: 'else', to: step.else, ...(rule === 'NotDecided' ? { reason: rule } : {}) };
    await this.#leave(run, (known) => left(known, leaving, now()));
  }

  async #ruleOf(asked: RulesToChooseFrom): Promise<number | null | 'NotDecided'> {
    try {
      return (await this.life.alone(() => chooseRule(asked))).rule;
    } catch (error) {
      if (isCancellation(error)) throw error;
      return 'NotDecided';
    }
  }

  #beginWait(run: FlowRun, { seconds }: WaitStep): Promise<void> {
    return this.#waitFor(run, seconds);
  }

  async #waitFor(run: FlowRun, seconds: number): Promise<void> {
    this.life.change(this.#awaiting(run, { until: later(now(), seconds) })(this.life.state));
    await this.life.save();
  }

  /** Nothing is lost when the run of the workflow ends meanwhile: the next tells the caller again, under the same id. */
  async #notify(run: Running, step: NotifyStep): Promise<void> {
    await this.life.save();
    this.#begun.add(run.id);
    const { tenant, id: transactionId } = this.life.state;
    const name = stepOf(run);
    const event = {
      id: `${run.id}.${run.path.length}`,
      tenant,
      transactionId,
      type: step.event,
      at: run.path.at(-1)?.enteredAt ?? now(),
      data: { runId: run.id, flow: run.flow, version: run.version, step: name },
    };
    const summary = `${run.flow}/${name}: tell the caller ${step.event}`;
    try {
      const told = await notifyCaller.executeWithOptions(
        { scheduleToCloseTimeout: Math.max(1_000, inMs(later(event.at, step.giveUpAfterSeconds))), summary },
        [event],
      );
      await this.#leaveBy(run, told.delivered ? 'Delivered' : 'Failed', told.reason);
    } catch (error) {
      if (isCancellation(error)) throw error;
      await this.#leaveBy(run, 'Failed', 'NotReached');
    }
  }

  async #wait(run: Running, awaiting: Awaiting): Promise<void> {
    this.#begun.add(run.id);
    if ('until' in awaiting) return this.#waitUntil(run, awaiting.until);
    if ('biometricsId' in awaiting) return this.#waitForDecision(run, awaiting.biometricsId);
    const same = () => this.#same(run)?.awaiting === run.awaiting;
    await condition(() => !same());
  }

  async #waitUntil(run: Running, until: string): Promise<void> {
    const step = run.plan.flow.steps[stepOf(run)];
    const what = step?.kind === 'wait' ? 'waits' : 'pauses between messages';
    while (now() < until) await sleep(inMs(until), { summary: `${run.flow}/${stepOf(run)} ${what}` });
    if (step?.kind === 'wait') return this.#leave(run, (known) => left(known, { exit: 'Done', to: step.then }, now()));
    return this.#leave(run, unbegun);
  }

  async #waitForDecision(run: Running, biometricsId: string): Promise<void> {
    const submittedAt = () => this.life.state.biometrics?.find(({ id }) => id === biometricsId)?.submittedAt;
    await condition(() => !this.#same(run) || submittedAt() !== undefined);
    const since = submittedAt();
    if (!this.#same(run) || since === undefined) return;
    const summary = `${run.flow}/${stepOf(run)}: a decision on the pictures is due`;
    const leftMs = inMs(decisionDueAt(run, since));
    if (!(await condition(() => !this.#same(run), leftMs, { summary }))) await this.#leaveBy(run, 'Undecided');
  }
}
