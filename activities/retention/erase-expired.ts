import type { Pool } from '../../platform/postgres';
import { type ErasureDependencies, eraseTransaction } from '../../store/privacy/erase-transaction';
import { findExpiredTransactions, type RetentionDays } from '../../store/record/erased-records.sql';
import type { RetentionActivities } from '../../workflows/ports';

/**
 * How many transactions one call erases at most. An erasure takes about 20 ms, so a call takes a few seconds. A worker that stops loses
 * little work.
 */
const batchSize = 200;

export interface ExpiryDependencies extends ErasureDependencies {
  pool: Pool;
  retentionDays: RetentionDays;
  /** Returns a signal that is aborted when the activity must end. The next attempt does the rest. */
  signal: () => AbortSignal;
}

/** Creates the activity that erases transactions whose retention time is over. What was erased before a failure stays erased. */
export function createExpiry(dependencies: ExpiryDependencies): RetentionActivities['eraseExpiredTransactions'] {
  return async () => {
    const { pool, retentionDays, signal } = dependencies;
    const expired = await findExpiredTransactions(pool, new Date(), retentionDays, batchSize);
    for (const target of expired) {
      signal().throwIfAborted();
      await eraseTransaction(dependencies, target, 'retention');
    }
    return { transactions: expired.length };
  };
}
