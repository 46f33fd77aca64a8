import { eachRow } from '../../platform/each-row';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { eraseTransaction, type ErasureDependencies } from '../../store/privacy/erase-transaction';
import { findExpiredTransactions, type RetentionDays } from '../../store/transactions/erased-records.sql';
import type { RetentionActivities } from '../../workflows/contract/activities';
import { z } from 'zod';
import { ConfigurationError } from '../../platform/config';
import { tenantName } from '../../platform/postgres/tenant-scope';

/**
 * How many transactions one call erases at most. An erasure takes about 20 ms, so a call takes a few seconds. A worker that stops loses
 * little work.
 */
const batchSize = 200;

/**
 * For how long a batch of the retention starts work on rows, in milliseconds. A row that times out takes seconds. Temporal gives a batch
 * 5 min, and a batch that takes longer would begin again. So a batch ends earlier, and reports what it has done and skipped.
 */
export const batchStartsForMs = 60_000;

export interface ExpiryDependencies extends ErasureDependencies {
  pool: Pool;
  retentionDays: RetentionDays;
  logger: Logger;
  /** Rejects if Temporal is unavailable. */
  askTemporal: () => Promise<unknown>;
  /** Returns a signal that is aborted when the activity must end. The next attempt does the rest. */
  signal: () => AbortSignal;
}

/**
 * Creates the activity that erases transactions whose retention time is over. What was erased before a failure stays erased. A transaction
 * that cannot be erased is skipped.
 */
export function createExpiry(dependencies: ExpiryDependencies): RetentionActivities['eraseExpiredTransactions'] {
  return async ({ skip = [] } = {}) => {
    const { pool, retentionDays, logger, askTemporal, signal } = dependencies;
    const expired = await findExpiredTransactions(pool, new Date(), retentionDays, { limit: batchSize, skip });
    const { results, skipped } = await eachRow(
      expired,
      (target) => eraseTransaction(dependencies, target, 'retention'),
      {
        task: 'erase expired transactions',
        idsOf: ({ tenant, id }) => ({ tenant, transactionId: id }),
        logger,
        probe: () => Promise.all([pool.query('select 1'), askTemporal()]),
        startsForMs: batchStartsForMs,
        signal: signal(),
      },
    );
    return { transactions: results.length, skipped };
  };
}

/** How many days after its last change a transaction is kept. After half a year, disputes about a confirmation are rare. */
const defaultDays = 180;

/** Ten years: the longest time for which a law requires such data. */
const daysMax = 3_653;

const schema = z.record(tenantName, z.int().min(1).max(daysMax));

/**
 * Reads RETENTION_DAYS: for how many days after its last change a transaction is kept, by tenant or `default`. Throws ConfigurationError.
 */
export function readRetentionDays(json: string): { default: number; byTenant: Readonly<Record<string, number>> } {
  try {
    const { default: days = defaultDays, ...byTenant } = schema.parse(JSON.parse(json));
    return { default: days, byTenant };
  } catch (error) {
    const issue = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigurationError(`RETENTION_DAYS: ${issue}`);
  }
}
