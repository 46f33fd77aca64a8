import { Client, Connection } from '@temporalio/client';
import { localEnvironment } from '../../dev/stack/local-secrets';
import type { ReachableStack } from '../worker/bench-caller';
import { readKeysConfig } from '../../platform/config';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { openKeys } from '../../platform/keys/root-secret';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres/postgres';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf, transactionWorkflowId } from '../../workflows/contract/ids';
import { view } from '../../workflows/contract/commands';
import type { TransactionView } from '../../domain/transactions/views';
import type { BenchTransaction } from '../worker/bench-caller';

/** Reads transactions by queries to their workflows (raw queries), without the API. */
export interface RawReader {
  query: (transaction: Pick<BenchTransaction, 'path'>) => Promise<TransactionView>;
  close: () => Promise<void>;
}

/**
 * Reads the view of a transaction by a query to its workflow, without the API. Decrypts the answer as the API does. `connections`: the
 * highest number of connections to Postgres.
 */
export async function openRawReader({ addresses, dataDir }: ReachableStack, connections: number): Promise<RawReader> {
  const config = readKeysConfig(localEnvironment(dataDir));
  const pool = openPool(config.DATABASE_URL, createLogger('bench', 'silent'), connections);
  const { serviceKeys } = await openKeys(pool, createServiceKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS));
  const transactionKeys = new TransactionKeys(pool, serviceKeys);
  const connection = await Connection.connect({ address: addresses.temporal });
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
  const client = new Client({ connection, namespace: 'default', dataConverter });
  return {
    query: ({ path }) => {
      const handle = client.workflow.getHandle(transactionWorkflowId('local', path.split('/').at(-1) ?? ''));
      return handle.query(view, new Date().toISOString());
    },
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}
