import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool, PoolClient } from '../../platform/postgres';

const lockSql = `select pg_advisory_xact_lock(hashtextextended('guesses/' || $1, 0))`;

const decidedSql = `select granted from guesses where destination = $1 and claim_id = $2`;

const decideSql = `
  insert into guesses (destination, claim_id, granted, charged)
  select $1, $2, spent < $3, spent < $3 and $5
  from (
    select count(*) as spent from guesses
    where destination = $1 and charged and at > now() - $4 * interval '1 millisecond'
  ) as budget
  returning granted`;

export interface AttemptClaim {
  /** Keyed hash of the phone or mailbox. */
  destination: string;
  claimId: string;
  charge: boolean;
  limit: number;
  windowMs: number;
}

/**
 * Decides whether a guess is within the budget of its destination, and charges it. Must run inside a transaction:
 * claims on one destination then wait for each other, and each counts all that were decided before it.
 */
export async function claimAttempt(client: PoolClient, guess: AttemptClaim): Promise<boolean> {
  const { destination, claimId, charge, limit, windowMs } = guess;
  await client.query(lockSql, [destination]);
  const decided = await client.query<{ granted: boolean }>(decidedSql, [destination, claimId]);
  const [known] = decided.rows;
  if (known) return known.granted;
  const { rows } = await client.query<{ granted: boolean }>(decideSql, [destination, claimId, limit, windowMs, charge]);
  return rows[0]?.granted ?? false;
}

/** A guess counts for a day, and a repeat of it is known by its idempotency key for another at most. */
const keptFor = '2 days';

/** Deletes the guesses that count no more. */
export async function deleteOldAttempts(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'guesses', `at < now() - interval '${keptFor}'`);
}
