import type { DomainError } from '../../domain/domain-error';
import { advanceRuns, effectOf, savesRecord } from '../../domain/flows/advance-runs';
import { leaveStep, leaveStepByExit, leaveUndecided } from '../../domain/flows/leave-step';
import {
  type Awaiting,
  currentStepName,
  type FlowRun,
  givesUpAt,
  isRunning,
  lastExitsOf,
  originOf,
  type RunningFlowRun,
  visitsOf,
} from '../../domain/flows/run';
import { findRun, withRun } from '../../domain/flows/start-run';
import { addMs } from '../../domain/values';
import type { TransactionState } from '../../domain/transaction/state';
import { type LiveTransaction, msUntil } from '../live-transaction';
import { condition, isCancellation, uuid4 } from '@temporalio/workflow';
import { createLink } from '../../domain/biometrics/link';
import { checkNotification, checkRetryPolicy, chooseRule, hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics-links';
import { notifiedKey } from '../../domain/events/events-of';
import type { DecideStep, NotifyStep } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/bounds';
import { decisionFactsOf } from '../../domain/flows/decision-facts';
import { reasonOf } from '../../domain/flows/transitions';
import { isConditionFailed } from '../failures';
import type { RulesToChooseFrom } from '../ports';

/**
 * One visit of a flow run to a step. A step changes the flow run only inside the lock, and only during this visit. If the flow run has
 * moved or ended meanwhile, the step changes nothing.
 */
export class RunVisit {
  constructor(
    readonly live: LiveTransaction,
    readonly run: RunningFlowRun,
  ) {}

  /** The current state of the flow run. Undefined if this visit is over. */
  currentRun(): RunningFlowRun | undefined {
    const run = findRun(this.live.state, this.run.id);
    return run && isRunning(run) && run.path.length === this.run.path.length ? run : undefined;
  }

  /** Runs `work` inside the lock. Does nothing if this visit is over. */
  runExclusive<Result>(work: (at: string) => Promise<Result>): Promise<Result | undefined> {
    return this.live.runExclusive(async (at) => (this.currentRun() ? work(at) : undefined));
  }

  /** Returns a function that changes a state, so that the flow run waits for `awaiting`. */
  readonly changeToAwaiting = (awaiting: Awaiting) => (state: TransactionState) => {
    const run = findRun(state, this.run.id);
    return run ? withRun(state, { ...run, awaiting }) : state;
  };

  /** Moves the flow run, and saves the record unless the next step saves it. Call this only inside `runExclusive`. */
  async leave(move: (run: RunningFlowRun) => FlowRun): Promise<void> {
    const run = this.currentRun();
    if (run) await this.#changeAndSave(withRun(this.live.state, move(run)));
  }

  /** Moves the flow run as far as its times allow. Call this only inside `runExclusive`. */
  async advance(at: string): Promise<void> {
    const next = advanceRuns(this.live.state, at);
    if (next !== this.live.state) await this.#changeAndSave(next);
  }

  async #changeAndSave(next: TransactionState): Promise<void> {
    this.live.change(next);
    const moved = findRun(this.live.state, this.run.id);
    if (!moved || !savesRecord(effectOf(this.live.state, moved))) await this.live.save();
  }

  /** Leaves the step by one of its exits. Call this only inside `runExclusive`. */
  async leaveBy(exit: string, at: string, reason?: string): Promise<void> {
    await this.leave((run) => leaveStepByExit(run, exit, at, reason));
  }

  /**
   * Handles a domain error: leaves the step by `exit`. If the error is ResendTooSoon, waits instead, and then the step starts again. Call
   * this only inside `runExclusive`.
   */
  async leaveOrWait({ type, details }: DomainError, exit: string, at: string): Promise<void> {
    if (type === 'ResendTooSoon') return this.waitFor(details.retryAfterSeconds ?? 1, at);
    return this.leaveBy(exit, at, type);
  }

  /** Makes the flow run wait for some seconds after `at`, before the step starts again. Call this only inside `runExclusive`. */
  async waitFor(seconds: number, at: string): Promise<void> {
    this.live.change(this.changeToAwaiting({ until: addMs(at, seconds * 1_000) })(this.live.state));
    await this.live.save();
  }
}

/** Creates the link of a biometrics step and sends it. If a pause between messages is not over, the flow run waits for its end. */
export async function linkStep(visit: RunVisit, links: BiometricsLinks): Promise<void> {
  const { live, run } = visit;
  const plannedLink = run.plan.links[currentStepName(run)];
  if (!plannedLink) throw new Error(`Flow run ${run.id} has no link for ${currentStepName(run)}: this is a bug.`);
  const created = await visit.runExclusive(async (at) => {
    const biometricsId = uuid4();
    const { tenant, id: transactionId } = live.state;
    const summary = `${originOf(run)}: create the link`;
    const { tokenHash } = await hashLink.executeWithOptions({ summary }, [{ tenant, transactionId, biometricsId }]);
    const result = createLink(live.state, { ...plannedLink, biometricsId, tokenHash }, at);
    if ('error' in result) return visit.leaveOrWait(result.error, 'Canceled', at);
    return links.create({ ...result, state: visit.changeToAwaiting({ biometricsId })(result.state) });
  });
  if (created) await links.send(created);
}

/**
 * First saves the record of the transaction, which also saves the event of the step. Then calls `markStarted`. Then waits until a webhook
 * of the caller accepts the event. Leaves the step by the exit Delivered, or by Failed if no webhook accepts the event.
 */
export async function notifyStep(visit: RunVisit, step: NotifyStep, markStarted: () => void): Promise<void> {
  const { live, run } = visit;
  await visit.runExclusive(() => live.save());
  markStarted();
  const { tenant, id: transactionId } = live.state;
  const event = { tenant, transactionId, key: notifiedKey(run.id, run.path.length) };
  const options = {
    scheduleToCloseTimeout: Math.max(1_000, msUntil(givesUpAt(run, step))),
    retry: checkRetryPolicy(step.giveUpAfterSeconds * 1_000),
    summary: `${originOf(run)}: wait until a webhook accepts ${step.event}`,
  };
  const result = await checkNotification.executeWithOptions(options, [event]).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    return { delivered: false, reason: 'NotReached' };
  });
  await visit.runExclusive((at) => visit.leaveBy(result.delivered ? 'Delivered' : 'Failed', at, result.reason));
}

/**
 * Leaves a step by its first rule that is true, by `else`, or, only if a condition cannot be evaluated, by `failed`. Waits for the evidence
 * first, because conditions may use the score. If there is no result now, because the share of the tenant is used up or the machine is busy,
 * the flow run waits outside the lock. Then this function is called again. `hasTurn`: the flow run has waited.
 */
export async function decideStep(visit: RunVisit, step: DecideStep, hasTurn = false): Promise<void> {
  const { live, run } = visit;
  await condition(() => live.state.evidence !== undefined);
  await visit.runExclusive(async (at) => {
    const facts = decisionFactsOf(live.state, lastExitsOf(run), visitsOf(run), at);
    const conditions = step.rules.map(({ when }) => when);
    const choice = await chooseOrWait(
      { tenant: live.state.tenant, conditions, facts, hasTurn },
      `${originOf(run)}: decide by the rules`,
    );
    if (choice === 'NotDecided') return visit.leave((current) => leaveUndecided(current, step, at));
    if ('waitMs' in choice) {
      const pauseSeconds = pauseSecondsAfter(run.path.at(-1)?.enteredAt ?? at, at);
      return visit.waitFor(Math.max(pauseSeconds, choice.waitMs / 1_000), at);
    }
    const chosenRule = choice.rule === null ? undefined : step.rules[choice.rule];
    const transition = chosenRule
      ? {
          exit: String(Number(choice.rule) + 1),
          to: chosenRule.then,
          // A condition can be longer than a text in `because`. Such a condition is cut, so that the path of the flow run stays small.
          reason: reasonOf(chosenRule).slice(0, flowLimits.titleCharacters),
        }
      : { exit: 'else', to: step.else };
    return visit.leave((current) => leaveStep(current, transition, at));
  });
}

/**
 * The index of the first rule that is true. Null if no rule is true. `NotDecided` if a condition cannot be evaluated. `waitMs` if there is no
 * result now, also after all other errors: they say nothing about the conditions, so a later evaluation can succeed.
 */
async function chooseOrWait(
  rules: RulesToChooseFrom,
  summary: string,
): Promise<{ rule: number | null } | { waitMs: number } | 'NotDecided'> {
  try {
    return await chooseRule.executeWithOptions({ summary }, [rules]);
  } catch (error) {
    return isConditionFailed(error) ? 'NotDecided' : { waitMs: 0 };
  }
}

/**
 * How long a flow run waits at `at` before its rules are evaluated again, in seconds: as long as it has been at the step, so the pauses
 * double. At most 30 s: this is soon enough after an outage, and adds little to the history of the workflow.
 */
const pauseSecondsAfter = (enteredAt: string, at: string): number =>
  Math.min(30, Math.max(1, (Date.parse(at) - Date.parse(enteredAt)) / 1_000));
