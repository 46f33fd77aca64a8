import { deleteInBatches, type Pool } from '../../platform/postgres/postgres';

/** An attempt at a code, with the hash of its phone or mailbox. */
export interface HashedAttempt {
  tenant: string;
  /** Keyed hash of the phone or mailbox. */
  destinationHash: string;
  attemptId: string;
  /** Whether the attempt counts against the limit. An attempt with the correct code does not. */
  counts: boolean;
}

/** How many wrong codes one destination may get within a time window. */
export interface AttemptLimits {
  perTenant: number;
  /** The limit over all tenants together. */
  total: number;
  windowMs: number;
}

/**
 * SQL: saves an attempt, and counts it if it counts. Returns whether it is within the limits of its phone or mailbox. A repeated attempt gets the
 * same answer. `first`: the number of the first parameter: see `attemptValues`.
 */
export const countAttemptSql = (first: number): string =>
  `count_attempt(${Array.from({ length: 7 }, (_, index) => `$${first + index}`).join(', ')})`;

/** The parameters of `countAttemptSql`. */
export const attemptValues = (
  { tenant, destinationHash, attemptId, counts }: HashedAttempt,
  { perTenant, total, windowMs }: AttemptLimits,
): unknown[] => [tenant, destinationHash, attemptId, counts, perTenant, total, windowMs];

/** An attempt counts for a day, and its request can be repeated for a day. The second day is a margin. */
const retentionPeriod = '2 days';

/** Deletes old attempts. They do not count any more, and their requests can no longer be repeated. */
export async function deleteOldAttempts(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'code_attempts', `at < now() - interval '${retentionPeriod}'`);
}
