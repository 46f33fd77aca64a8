import { isCancellation, uuid4 } from '@temporalio/workflow';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { isPastExpiry } from '../../domain/confirmation';
import { createDomainError } from '../../domain/domain-error';
import { originOf, type RunningFlowRun, currentStepName } from '../../domain/flows/run';
import { confirmationAwaitedBy } from '../../domain/flows/find-run';
import { destinationOf, requestConfirmation } from '../../domain/request-confirmation';
import type { TransactionState } from '../../domain/state';
import { digestCode } from '../activities';
import type { Confirmations } from '../confirmations';
import { toFailure, reasonOfRejection, isDomainError } from '../failures';
import { type LiveTransaction, now } from '../live-transaction';
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
      return this.confirmations.reserveSend(
        proposal,
        at,
        visit.changeToAwaiting({ confirmationId: proposal.confirmationId }),
      );
    });
    if (!reservedSend) return;
    try {
      await this.confirmations.send(reservedSend);
    } catch (error) {
      if (isCancellation(error) || !isDomainError(error)) throw error;
      await visit.runExclusive((at) => visit.leaveBy('Failed', at, reasonOfRejection(error)));
    }
  }

  /** The precondition of `resend`: throws its domain error. */
  checkResend(run: RunningFlowRun, at = now()): void {
    const confirmation = confirmationAwaitedBy(this.live.state, run);
    // After its lifetime, a confirmation counts as expired even if its timer has not fired yet. A resend would then create a new
    // confirmation, so it is rejected.
    if (!confirmation || isPastExpiry(confirmation, at))
      throw toFailure(createDomainError('NothingToAnswer', 'The flow run does not wait for a code or a reply.'));
    const proposal = run.plan.confirmations[currentStepName(run)];
    // Only the error of the result is used, so the id does not matter.
    const result = proposal && requestConfirmation(this.live.state, { ...proposal, confirmationId: 'next' }, at);
    if (result && 'error' in result) throw toFailure(result.error);
  }

  /** Resends the message of a step that waits. `withResponse`: adds the response of the command to the record. */
  async resend(run: RunningFlowRun, withResponse: (state: TransactionState) => TransactionState): Promise<void> {
    const visit = new RunVisit(this.live, run);
    const reservedSend = await visit.runExclusive(async (at) => {
      this.checkResend(run, at);
      return this.confirmations.reserveSend(await this.#proposalOf(run), at, (state, { id }) =>
        visit.changeToAwaiting({ confirmationId: id })(state),
      );
    });
    if (!reservedSend) throw toFailure(createDomainError('RunEnded', 'The flow run has left the step.'));
    try {
      await this.confirmations.send(reservedSend, withResponse);
    } catch (error) {
      await this.#awaitEarlierCode(visit);
      throw error;
    }
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
