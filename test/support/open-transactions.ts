import type { Transactions } from '../../api/transactions/transactions';
import { createTransactions } from '../../api/transactions/transactions.client';
import { createLogger } from '../../platform/logger';
import { createQueryClient } from '../../platform/temporal/connection';
import { testKeys } from './build';
import { openMemoryRecords } from './memory-records';
import type { World } from './world';

/** The transactions of the API on the Temporal server of a world, with the records that its fake activities save. */
export async function openTransactions(world: World): Promise<Transactions> {
  const { env, taskQueue, activities } = world;
  const transactions = createTransactions({
    client: env.client,
    openQueryClient: async () => createQueryClient(env.nativeConnection, 'default', {}),
    taskQueue,
    keys: testKeys,
    erase: async ({ id }) => ({ transactionId: id, erasedAt: new Date().toISOString() }),
    records: openMemoryRecords(activities.records),
    reads: 'workflow',
    assessFirst: async (state) => state,
    logger: createLogger('test', 'silent'),
  });
  // A worker's first workflow takes longer than callers may wait, so it runs before the tests.
  await world.waitForAssessment(await world.createTransaction());
  return transactions;
}
