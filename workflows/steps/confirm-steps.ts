import { isCancellation, uuid4 } from '@temporalio/workflow';
import type { ConfirmationProposal } from '../../domain/confirmation/settings';
import { originOf, type RunningFlowRun, currentStepName } from '../../domain/flows/run';
import { confirmationAwaitedBy } from '../../domain/flows/start-run';
import { destinationOf, requestConfirmation, type RequestedSend } from '../../domain/confirmation/send';
import type { TransactionState } from '../../domain/transaction/state';
import { digestCode } from '../activities';
import type { Confirmations, ReservedSend } from '../confirmations';
import { isDomainError, reasonOfRejection, unwrap } from '../failures';
import type { LiveTransaction } from '../live-transaction';
import { RunVisit } from './run-visit';

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
      const proposal = await this.#proposalOf(run, run.path.length === 1 ? run.plan.firstCode : undefined);
      const result = requestConfirmation(this.live.state, proposal, at);
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
    const reserved = this.#reserve(visit, unwrap(requestConfirmation(this.live.state, proposal, at)));
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

  /** The proposal of the current step. `firstConfirmation`: the id and digest from the plan. Without it, both are created here. */
  async #proposalOf(
    run: RunningFlowRun,
    firstConfirmation?: { confirmationId: string; digest: string },
  ): Promise<ConfirmationProposal> {
    const proposal = run.plan.confirmations[currentStepName(run)];
    if (!proposal) throw new Error(`Flow run ${run.id} has no proposal for ${currentStepName(run)}: this is a bug.`);
    if (firstConfirmation) return { ...proposal, ...firstConfirmation };
    const confirmationId = uuid4();
    if (proposal.settings.kind !== 'token') return { ...proposal, confirmationId };
    const { name, codeDigits } = proposal.settings;
    const destination = destinationOf(this.live.state, proposal.settings);
    const code = {
      transactionId: this.live.state.id,
      confirmationId,
      name,
      ...(codeDigits ? { codeDigits } : {}),
      ...(destination === undefined ? {} : { destination }),
    };
    const { digest } = await digestCode.executeWithOptions({ summary: `${originOf(run)}: create the code` }, [code]);
    return { ...proposal, confirmationId, digest };
  }
}
