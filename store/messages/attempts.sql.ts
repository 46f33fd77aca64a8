import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool, PoolClient } from '../../platform/postgres';

const lockSql = `select pg_advisory_xact_lock(hashtextextended('code_attempts/' || $1, 0))`;

const findAttemptSql = `select granted from code_attempts where destination = $1 and claim_id = $2`;

const saveAttemptSql = `
  insert into code_attempts (destination, claim_id, granted, charged)
  select $1, $2, used < $3, used < $3 and $5
  from (
    select count(*) as used from code_attempts
    where destination = $1 and charged and at > now() - $4 * interval '1 millisecond'
  ) as budget
  returning granted`;

/** An attempt at a code, by the hash of its destination. */
export interface HashedAttempt {
  /** Keyed hash of the phone or mailbox. */
  destinationHash: string;
  attemptId: string;
  counts: boolean;
  limit: number;
  windowMs: number;
}

/**
 * Saves an attempt at a code, and counts it if `counts` is set. Returns whether it is within the limit of its destination. A
 * repeated attempt gets the same answer. Must run inside a database transaction: attempts at one destination then wait for each other.
 */
export async function countAttempt(client: PoolClient, attempt: HashedAttempt): Promise<boolean> {
  const { destinationHash, attemptId, counts, limit, windowMs } = attempt;
  await client.query(lockSql, [destinationHash]);
  const earlierAttempts = await client.query<{ granted: boolean }>(findAttemptSql, [destinationHash, attemptId]);
  const [earlierAttempt] = earlierAttempts.rows;
  if (earlierAttempt) return earlierAttempt.granted;
  const { rows } = await client.query<{ granted: boolean }>(saveAttemptSql, [
    destinationHash,
    attemptId,
    limit,
    windowMs,
    counts,
  ]);
  return rows[0]?.granted ?? false;
}

/** An attempt counts for a day, and its request can be repeated for a day. The second day is a margin. */
const retentionPeriod = '2 days';

/** Deletes the attempts that neither count nor can be repeated. */
export async function deleteOldAttempts(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'code_attempts', `at < now() - interval '${retentionPeriod}'`);
}
