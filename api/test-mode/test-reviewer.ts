import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { TransactionState } from '../../domain/transaction/state';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import type { Pool } from '../../platform/postgres/postgres';
import type { TestMode } from '../../messages/test-mode';
import { type DayKeys, saveProviderEvent, type TestReviewEvent } from '../../store/messages/provider-events.sql';
import { decideBiometrics } from '../../workflows/contract';
import { CommandRejected, type Transactions } from '../temporal/transactions';

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
