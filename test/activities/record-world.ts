import { createRecorder } from '../../activities/save-record';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { testKeys } from '../support/build';
import { startPostgres } from '../support/postgres';
import { testTransactionKeys } from '../support/test-data-converter';
import { createTestLimits } from '../support/test-limits';

/** A function that saves records, with its own database. */
export interface RecordWorld {
  pool: Pool;
  saveRecord: ReturnType<typeof createRecorder>;
  close(): Promise<void>;
}

export async function openRecordWorld(): Promise<RecordWorld> {
  const postgres = await startPostgres();
  const logger = createLogger('test', 'silent');
  const pool = openPool(await postgres.createDatabase(), logger);
  const close = async () => {
    await pool.end();
    await postgres.stop();
  };
  return {
    pool,
    saveRecord: createRecorder({
      limits: createTestLimits(),
      pool,
      keys: testKeys,
      transactionKeys: testTransactionKeys,
      logger,
    }),
    close,
  };
}
