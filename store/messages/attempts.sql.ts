import { deleteInBatches } from '../../platform/postgres/queries';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

const lockSql = `select pg_advisory_xact_lock(hashtextextended('code_attempts/' || $1, 0))`;

const findAttemptSql = `select within_limit as "withinLimit" from code_attempts where destination = $1 and attempt_id = $2`;

// When the limit of the tenant is reached, even the right code is rejected. When the limit over all tenants is reached, only wrong codes
// are rejected.
const saveAttemptSql = `
  insert into code_attempts (tenant, destination, attempt_id, within_limit, counts)
  select $1, $2, $3, own < $5 and (not $4 or total < $6), own < $5 and $4
  from (
    select count(*) filter (where tenant = $1) as own, count(*) as total from code_attempts
    where destination = $2 and counts and at > now() - $7 * interval '1 millisecond'
  ) as budget
  on conflict (destination, attempt_id) do nothing returning within_limit as "withinLimit"`;

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
 * Saves an attempt at a code, and counts it if `counts` is true. Returns whether it is within the limits of its phone or mailbox. A
 * repeated attempt gets the same answer. Must run inside a database transaction: attempts with the same phone or mailbox wait until this
 * database transaction ends.
 */
export async function countAttempt(
  client: PoolClient,
  { tenant, destinationHash, attemptId, counts }: HashedAttempt,
  { perTenant, total, windowMs }: AttemptLimits,
): Promise<boolean> {
  await client.query(lockSql, [destinationHash]);
  const values = [tenant, destinationHash, attemptId, counts, perTenant, total, windowMs];
  const query = (sql: string, parameters: unknown[]) => client.query<{ withinLimit: boolean }>(sql, parameters);
  const saved = await query(saveAttemptSql, values);
  // Without a saved row, the attempt is a repeat.
  const { rows } = saved.rowCount === 1 ? saved : await query(findAttemptSql, [destinationHash, attemptId]);
  return rows[0]?.withinLimit ?? false;
}

/** An attempt counts for a day, and its request can be repeated for a day. The second day is a margin. */
const retentionPeriod = '2 days';

/** Deletes old attempts. They do not count any more, and their requests can no longer be repeated. */
export async function deleteOldAttempts(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'code_attempts', `at < now() - interval '${retentionPeriod}'`);
}
