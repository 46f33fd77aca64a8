import {
  currentStepName,
  givesUpAt,
  lastExitsOf,
  leaveStep,
  leaveUndecided,
  originOf,
  type RunningFlowRun,
  type StepConfirmationProposal,
  visitsOf,
} from '../../domain/flows/run';
import { type LiveTransaction, msUntil } from '../live-transaction';
import { condition, isCancellation, uuid4 } from '@temporalio/workflow';
import { createLink } from '../../domain/biometrics/link';
import { checkNotification, checkRetryPolicy, chooseRule, digestCode, hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics/biometrics-links';
import { notifiedKey } from '../../domain/events/events-of';
import type { DecideStep, NotifyStep } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/bounds';
import { decisionFactsOf } from '../../domain/flows/decision-facts';
import { reasonOf } from '../../domain/flows/transitions';
import { isConditionFailed, isDomainError, reasonOfRejection, unwrap } from '../failures';
import type { RulesToChooseFrom } from '../contract/activities';
import { RunVisit } from './run-visit';
import type { Confirmation } from '../../domain/confirmations/confirmation';
import type { ConfirmationProposal } from '../../domain/confirmations/settings';
import { codeToRepeat } from '../../domain/flows/delivery-deadline';
import { confirmationAwaitedBy } from '../../domain/flows/runs';
import { destinationOf, addSend, type RequestedSend } from '../../domain/confirmations/send';
import type { TransactionState } from '../../domain/transactions/state';
import type { Confirmations, ReservedSend } from '../confirmations/confirmations';

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

/** Executes confirm steps: they ask the person for a code or a reply. */
export class ConfirmSteps {
  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
  ) {}

  /** Sends the first message of a step. */
  async start(visit: RunVisit): Promise<void> {
    const { run } = visit;
    const reservedSend = await visit.runExclusive(async (at) => {
      const proposal = await (run.path.length === 1 && run.plan.firstCode
        ? { ...this.#plannedProposal(run), ...run.plan.firstCode }
        : this.#proposalOf(run, codeToRepeat(this.live.state, run, this.#plannedProposal(run).settings, at)));
      const result = addSend(this.live.state, proposal, at);
      if ('error' in result) return visit.leaveOrWait(result.error, 'Failed', at);
      return this.#reserve(visit, result);
    });
    if (!reservedSend) return;
    try {
      await this.confirmations.send(reservedSend);
    } catch (error) {
      if (isCancellation(error) || !isDomainError(error)) throw error;
      await visit.runExclusive((at) => visit.leaveBy('Failed', at, reasonOfRejection(error)));
    }
  }

  /**
   * Reserves the next message of a step that waits. Call this only inside `runExclusive`. Returns the work that sends the message.
   * `withResponse`: adds the response of the command to the record.
   */
  async resend(
    run: RunningFlowRun,
    at: string,
    withResponse: (state: TransactionState) => TransactionState,
  ): Promise<() => Promise<void>> {
    const visit = new RunVisit(this.live, run);
    const proposal = await this.#proposalOf(run);
    const reserved = this.#reserve(visit, unwrap(addSend(this.live.state, proposal, at)));
    return async () => {
      try {
        await this.confirmations.send(reserved, withResponse);
      } catch (error) {
        await this.#awaitEarlierCode(visit);
        throw error;
      }
    };
  }

  /** Reserves a message, for whose answer the flow run then waits. */
  #reserve(visit: RunVisit, { state, confirmation, send }: RequestedSend): ReservedSend {
    const waiting = visit.changeToAwaiting({ confirmationId: confirmation.id })(state);
    return this.confirmations.reserve({ state: waiting, confirmation, send });
  }

  /** Makes the flow run wait for the earlier code again, if the message with the new code was rejected. */
  async #awaitEarlierCode(visit: RunVisit): Promise<void> {
    await visit.runExclusive(async () => {
      const { awaiting } = visit.run;
      const current = visit.currentRun();
      if (!current || !awaiting || confirmationAwaitedBy(this.live.state, current)) return;
      this.live.change(visit.changeToAwaiting(awaiting)(this.live.state));
      await this.live.save();
    });
  }

  #plannedProposal(run: RunningFlowRun): StepConfirmationProposal {
    const proposal = run.plan.confirmations[currentStepName(run)];
    if (!proposal) throw new Error(`Flow run ${run.id} has no proposal for ${currentStepName(run)}: this is a bug.`);
    return proposal;
  }

  /** The proposal of the current step, with a new id. `earlier`: the confirmation whose code it repeats. */
  async #proposalOf(run: RunningFlowRun, earlier?: Confirmation): Promise<ConfirmationProposal> {
    const proposal = this.#plannedProposal(run);
    const confirmationId = uuid4();
    if (proposal.settings.kind !== 'token') return { ...proposal, confirmationId };
    const { name, codeDigits, values } = proposal.settings;
    const destination = destinationOf(this.live.state, proposal.settings);
    const repeats = earlier && { codeId: earlier.codeId ?? earlier.id, attemptsUsed: earlier.attemptsUsed };
    const code = {
      transactionId: this.live.state.id,
      confirmationId: repeats?.codeId ?? confirmationId,
      name,
      ...(codeDigits ? { codeDigits } : {}),
      ...(values ? { values: { hash: values.hash } } : {}),
      ...(destination === undefined ? {} : { destination }),
    };
    const { digest } = await digestCode.executeWithOptions({ summary: `${originOf(run)}: create the code` }, [code]);
    return { ...proposal, confirmationId, digest, ...(repeats && { repeats }) };
  }
}
