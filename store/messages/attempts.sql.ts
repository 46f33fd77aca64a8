import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool, PoolClient } from '../../platform/postgres';

const lockSql = `select pg_advisory_xact_lock(hashtextextended('code_attempts/' || $1, 0))`;

const decidedSql = `select granted from code_attempts where destination = $1 and claim_id = $2`;

const decideSql = `
  insert into code_attempts (destination, claim_id, granted, charged)
  select $1, $2, used < $3, used < $3 and $5
  from (
    select count(*) as used from code_attempts
    where destination = $1 and charged and at > now() - $4 * interval '1 millisecond'
  ) as budget
  returning granted`;

/** An attempt at a code, by the hash of its destination. */
export interface HashedAttemptClaim {
  /** Keyed hash of the phone or mailbox. */
  destinationHash: string;
  claimId: string;
  charge: boolean;
  limit: number;
  windowMs: number;
}

/**
 * Whether an attempt at a code is within the limit of its destination; counts it if `charge` is set. A repeated claim gets the same
 * answer. Must run inside a database transaction: claims on one destination then wait for each other.
 */
export async function claimAttempt(client: PoolClient, claim: HashedAttemptClaim): Promise<boolean> {
  const { destinationHash, claimId, charge, limit, windowMs } = claim;
  await client.query(lockSql, [destinationHash]);
  const decided = await client.query<{ granted: boolean }>(decidedSql, [destinationHash, claimId]);
  const [known] = decided.rows;
  if (known) return known.granted;
  const { rows } = await client.query<{ granted: boolean }>(decideSql, [
    destinationHash,
    claimId,
    limit,
    windowMs,
    charge,
  ]);
  return rows[0]?.granted ?? false;
}

/** An attempt counts for a day, and a repeat is recognized by its idempotency key for another day. */
const storedFor = '2 days';

/** Deletes the attempts that no longer count. */
export async function deleteOldAttempts(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'code_attempts', `at < now() - interval '${storedFor}'`);
}
