import type { Pool } from '../../platform/postgres/postgres';
import type { TenantTransaction } from './erased-records.sql';

// The new time is a lease: for this time, no other process handles the transaction, and a transaction that stays due is handled again after
// it. Rows that another process handles now are left out.
const claimSql = `
  update transactions set due_at = now() + $2 * interval '1 millisecond'
  where (tenant, id) in (
    select tenant, id from transactions
    where due_at < now() - $1 * interval '1 millisecond' and erased_at is null
    order by due_at limit $3 for update skip locked)
  returning tenant, id, version`;

/** A due transaction, and the version of its record. */
export interface DueTransaction extends TenantTransaction {
  version: number;
}

/** Which transactions to claim, and for how long. */
export interface DueClaim {
  graceMs: number;
  leaseMs: number;
  limit: number;
}

/**
 * Claims transactions that have been due for `graceMs`, longest first: their workflow should have changed the record, and has not. For
 * `leaseMs`, no other call returns them. The next save of the record ends the lease.
 */
export async function claimDueTransactions(
  pool: Pool,
  { graceMs, leaseMs, limit }: DueClaim,
): Promise<DueTransaction[]> {
  return (await pool.query<DueTransaction>(claimSql, [graceMs, leaseMs, limit])).rows;
}
