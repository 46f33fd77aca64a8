import { backgroundOutagesMax, eachRow } from '../../platform/each-row';
import type { Logger } from '../../platform/logger';
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
  logger: Logger;
  /** Returns a signal that is aborted when the activity must end. The next attempt does the rest. */
  signal: () => AbortSignal;
}

/**
 * Creates the activity that erases transactions whose retention time is over. What was erased before a failure stays erased. A transaction
 * that cannot be erased is skipped.
 */
export function createExpiry(dependencies: ExpiryDependencies): RetentionActivities['eraseExpiredTransactions'] {
  return async ({ skip = [] } = {}) => {
    const { pool, retentionDays, logger, signal } = dependencies;
    const expired = await findExpiredTransactions(pool, new Date(), retentionDays, { limit: batchSize, skip });
    const { results, skipped } = await eachRow(
      expired,
      (target) => eraseTransaction(dependencies, target, 'retention'),
      {
        task: 'erase expired transactions',
        idsOf: ({ tenant, id }) => ({ tenant, transactionId: id }),
        logger,
        outagesMax: backgroundOutagesMax,
        signal: signal(),
      },
    );
    return { transactions: results.length, skipped };
  };
}
