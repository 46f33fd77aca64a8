import { isCancellation, uuid4 } from '@temporalio/workflow';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { isDue } from '../../domain/confirmation';
import { createDomainError } from '../../domain/domain-error';
import { currentStepOf, type Running, stepOf } from '../../domain/flows/run';
import { awaitedConfirmation } from '../../domain/flows/find-run';
import { requestConfirmation } from '../../domain/request-confirmation';
import { digestCode } from '../activities';
import type { Confirmations } from '../confirmations';
import { domainError, failureReasonIn, isDomainError } from '../domain-errors';
import { type LiveTransaction, now } from '../live-transaction';
import { RunVisit } from './run-visit';

/** Steps that ask the person for a code or a reply. */
export class ConfirmSteps {
  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
  ) {}

  /** Sends the first message of a step. */
  async start(visit: RunVisit): Promise<void> {
    const { run } = visit;
    const reserved = await visit.exclusive(async () => {
      const proposal = await this.#proposalOf(run, run.path.length === 1 ? run.plan.first : undefined);
      const requested = requestConfirmation(this.live.state, proposal, now());
      if ('error' in requested) return visit.leaveByError(requested.error, 'Failed');
      return this.confirmations.reserve(proposal, visit.awaiting({ confirmationId: proposal.confirmationId }));
    });
    if (!reserved) return;
    try {
      await this.confirmations.send(reserved);
    } catch (error) {
      if (isCancellation(error) || !isDomainError(error)) throw error;
      await visit.exclusive(() => visit.leaveBy('Failed', failureReasonIn(error)));
    }
  }

  /** The precondition of `resend`: throws its domain error. */
  checkResend(run: Running): void {
    const awaited = awaitedConfirmation(this.live.state, run);
    // A confirmation that is due has expired, even before its timer fires: a resend would be a new request.
    if (!awaited || isDue(awaited, now()))
      throw domainError(createDomainError('NothingToAnswer', 'The flow run does not wait for a code or a reply.'));
    const proposal = run.plan.confirmations[stepOf(run)];
    const requested = proposal && requestConfirmation(this.live.state, { ...proposal, confirmationId: 'next' }, now());
    if (requested && 'error' in requested) throw domainError(requested.error);
  }

  /** Resends the message of a step that waits. */
  async resend(run: Running): Promise<void> {
    const visit = new RunVisit(this.live, run);
    const reserved = await visit.exclusive(async () => {
      this.checkResend(run);
      return this.confirmations.reserve(await this.#proposalOf(run), (state, { id }) =>
        visit.awaiting({ confirmationId: id })(state),
      );
    });
    if (!reserved) throw domainError(createDomainError('RunEnded', 'The flow run has left the step.'));
    try {
      await this.confirmations.send(reserved);
    } catch (error) {
      await this.#awaitEarlierCode(visit);
      throw error;
    }
  }

  /** The message of a new code was rejected: the run waits for the earlier code again. */
  async #awaitEarlierCode(visit: RunVisit): Promise<void> {
    await visit.exclusive(async () => {
      const { awaiting } = visit.run;
      const current = visit.current();
      if (!current || !awaiting || awaitedConfirmation(this.live.state, current)) return;
      this.live.change(visit.awaiting(awaiting)(this.live.state));
      await this.live.save();
    });
  }

  async #proposalOf(run: Running, first?: { confirmationId: string; digest: string }): Promise<ConfirmationProposal> {
    const proposal = run.plan.confirmations[stepOf(run)];
    if (!proposal) throw new Error(`Run ${run.id} has no proposal for ${stepOf(run)}: this is a bug.`);
    if (first) return { ...proposal, ...first };
    const confirmationId = uuid4();
    if (proposal.settings.kind !== 'token') return { ...proposal, confirmationId };
    const { name, codeDigits } = proposal.settings;
    const code = { transactionId: this.live.state.id, confirmationId, name, ...(codeDigits ? { codeDigits } : {}) };
    const { digest } = await digestCode.executeWithOptions({ summary: `${currentStepOf(run)}: create the code` }, [
      code,
    ]);
    return { ...proposal, confirmationId, digest };
  }
}
