import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { ConfirmationProposal, ConfirmationSettings } from '../../domain/confirmation/settings';
import type { RunPlan } from '../../domain/flows/run';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import type { TestMode } from '../../messages/test-mode';
import { type DayKeys, saveProviderEvent, type TestReviewEvent } from '../../store/messages/provider-events.sql';
import {
  applyPageAction,
  type Command,
  decideBiometrics,
  requestConfirmation,
  startFlow,
} from '../../workflows/contract';
import type { Dependencies } from '../dependencies';
import { CommandRejected, type Target, type Transactions } from '../transactions/transactions';
import { destinationOf } from '../../domain/confirmation/send';
import type { TransactionState } from '../../domain/transaction/state';
import { digestCorrectCode, keyedHash } from '../../messages/codes';

interface TestValueDependencies {
  pool: Pool;
  keys: Keys;
  dayKeys: Pick<DayKeys, 'current'>;
}

/** Returns the dependencies that differ if the API is in test mode. */
export function openTestValues(
  testMode: TestMode,
  { transactions, logger, ...dependencies }: TestValueDependencies & { transactions: Transactions; logger: Logger },
): Pick<Dependencies, 'transactions' | 'decideTestReview'> {
  logger.info('test mode is on: test phones, mailboxes and documents have fixed outcomes');
  return {
    transactions: withTestValues(transactions, { testMode, ...dependencies }),
    decideTestReview: (event) => decideTestReview({ transactions, keys: dependencies.keys }, event),
  };
}

/**
 * Wraps `transactions`, so that commands treat test values as test mode requires. The API does not know the phone of a transaction when it
 * proposes a confirmation, so `send` reads the transaction first.
 */
function withTestValues(
  transactions: Transactions,
  dependencies: TestValueDependencies & { testMode: TestMode },
): Transactions {
  const confirmations = new TestConfirmations(dependencies.testMode, dependencies.keys);
  const stateOf = (target: Target) => transactions.readState(target);

  const inputFor = async (target: Target, command: Command<never, unknown>, input: unknown): Promise<unknown> => {
    if (command.name === requestConfirmation.name)
      return confirmations.proposalFor(await stateOf(target), input as ConfirmationProposal);
    if (command.name === startFlow.name) return confirmations.planFor(await stateOf(target), input as RunPlan);
    return input;
  };

  return {
    ...transactions,
    async send<Input, Output>(...[target, command, request]: Parameters<typeof transactions.send<Input, Output>>) {
      const input = (await inputFor(target, command as Command<never, unknown>, request.input)) as Input;
      const output = await transactions.send(target, command, { ...request, input });
      if (command.name === applyPageAction.name && (output as Biometrics).status === 'Processing')
        await planTestReview(dependencies, await stateOf(target), output as Biometrics);
      return output;
    },
  };
}

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

/** The time between the submission of the images and the decision. It is long enough to see the status Processing. */
const decidesAfterMs = 5_000;

/** The client id of the reviewer in the decision and in its event. */
const reviewer = 'test-mode';

interface ReviewerDependencies {
  testMode: TestMode;
  pool: Pool;
  keys: Keys;
  dayKeys: Pick<DayKeys, 'current'>;
}

/** Plans the decision on submitted images. Does nothing if the document is not a test document with a fixed decision. */
export async function planTestReview(
  { testMode, pool, dayKeys }: ReviewerDependencies,
  { tenant, id: transactionId, input }: TransactionState,
  { id: biometricsId }: Biometrics,
): Promise<void> {
  const status = testMode.findDocument(input.document)?.review;
  if (!status) return;
  const event: TestReviewEvent = { kind: 'testReview', tenant, transactionId, biometricsId, status };
  await saveProviderEvent(pool, dayKeys, `testReview:${biometricsId}`, event, decidesAfterMs);
}

/** Makes the planned decision, like a reviewer. Does nothing if somebody has already decided. */
export async function decideTestReview(
  { transactions, keys }: { transactions: Transactions; keys: Keys },
  { tenant, transactionId: id, biometricsId, status }: TestReviewEvent,
): Promise<void> {
  const reason = `Test mode: the reviewer of this test document decides ${status}.`;
  const decision = { biometricsId, status, by: reviewer, reason };
  try {
    await transactions.send({ tenant, id }, decideBiometrics, {
      input: decision,
      identity: [biometricsId, status, reviewer, reason],
      idempotencyKey: keyedHash(keys, 'test-review', biometricsId),
    });
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error;
  }
}
