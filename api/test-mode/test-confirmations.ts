import type { ConfirmationProposal, ConfirmationSettings } from '../../domain/confirmation/settings';
import type { RunPlan } from '../../domain/flows/run';
import { destinationOf } from '../../domain/confirmation/send';
import type { TransactionState } from '../../domain/transaction/state';
import { digestCorrectCode } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import type { TestMode } from '../../messages/test-mode';

/** Changes what the API proposes for a transaction with a test phone or mailbox: the digest of its code, and some settings. */
export class TestConfirmations {
  constructor(
    private readonly testMode: TestMode,
    private readonly keys: Keys,
  ) {}

  /** Returns the proposal of one confirmation, changed for a test phone or mailbox. Without a test value, the proposal stays the same. */
  proposalFor(state: TransactionState, proposal: ConfirmationProposal): ConfirmationProposal {
    const { confirmationId, settings } = proposal;
    const digest = proposal.digest === undefined ? {} : { digest: this.#digest(state, confirmationId, settings) };
    return { ...proposal, settings: this.#settings(state, settings), ...digest };
  }

  /**
   * Returns the plan of a flow run, changed for test values: the settings of all confirmations, and the digest of the first code. The plan
   * has no other codes, because the worker creates the codes of the later steps.
   */
  planFor(state: TransactionState, plan: RunPlan): RunPlan {
    const confirmations = Object.entries(plan.confirmations).map(([step, proposal]) => {
      return [step, { ...proposal, settings: this.#settings(state, proposal.settings) }] as const;
    });
    const firstSettings = plan.confirmations[plan.flow.start]?.settings;
    if (!plan.firstCode || !firstSettings) return { ...plan, confirmations: Object.fromEntries(confirmations) };
    const { confirmationId } = plan.firstCode;
    const firstCode = { confirmationId, digest: this.#digest(state, confirmationId, firstSettings) };
    return { ...plan, confirmations: Object.fromEntries(confirmations), firstCode };
  }

  #digest(state: TransactionState, confirmationId: string, settings: ConfirmationSettings): string {
    const destination = destinationOf(state, settings);
    return digestCorrectCode(this.keys, state.id, confirmationId, { ...settings, destination });
  }

  #settings(state: TransactionState, settings: ConfirmationSettings): ConfirmationSettings {
    const changes = this.testMode.findDestination(destinationOf(state, settings) ?? '')?.settings;
    if (!changes) return settings;
    const { expiresAfterMs = settings.expiresAfterMs, attemptLimit } = changes;
    const resendAfterMs = Math.min(settings.resendAfterMs, expiresAfterMs);
    return {
      ...settings,
      expiresAfterMs,
      resendAfterMs,
      ...(attemptLimit === undefined || settings.kind !== 'token' ? {} : { attemptLimit }),
    };
  }
}
