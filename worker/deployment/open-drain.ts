import type { Connection } from '@temporalio/client';
import type { readDeploymentConfig } from '../../platform/config';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createServiceKeys } from '../../platform/keys/service-keys';
import type { Pool } from '../../platform/postgres/postgres';
import { openTemporal } from '../../platform/temporal/connection';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { findState } from '../../store/transactions/transactions.sql';
import { dataOwnerOf } from '../../workflows/contract/ids';
import { deliverWaiting } from '../webhook-deliveries';
import type { DrainDependencies } from './drain';

/** What a command needs to move open workflows, which continue from their records. `close` closes the connection to Temporal. */
export interface OpenDrain extends DrainDependencies {
  connection: Connection;
  transactionKeys: TransactionKeys;
  close: () => Promise<void>;
}

/** Opens what `drain` needs, outside of a worker. */
export function openDrain(pool: Pool, settings: ReturnType<typeof readDeploymentConfig>): OpenDrain {
  const { TEMPORAL_TASK_QUEUE: taskQueue, ENCRYPT_PAYLOADS: encrypts } = settings;
  const serviceKeys = createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS);
  const transactionKeys = new TransactionKeys(pool, serviceKeys);
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts });
  const { client, connection } = openTemporal(settings, dataConverter);
  return {
    client,
    connection,
    transactionKeys,
    taskQueue,
    findState: (target) => findState(pool, transactionKeys, target),
    deliverWaiting: (webhook) => deliverWaiting(client, taskQueue, webhook),
    close: () => connection.close(),
  };
}
