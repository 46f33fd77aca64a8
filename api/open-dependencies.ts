import type { Connection } from '@temporalio/client';
import { flows } from '../flows';
import type { ApiConfig } from '../platform/config';
import { openImageStore } from '../platform/images/open-image-store';
import { createReencoder } from '../platform/images/reencode-image';
import { createSealedImages } from '../platform/images/sealed-images';
import { createUploads } from '../platform/images/uploads';
import { deriveKeys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import { openPool } from '../platform/postgres';
import { openTemporal } from '../platform/temporal';
import { createAccessTokens } from './http/auth/access-tokens';
import { configureBiometrics } from './biometrics/settings';
import { configureConfirmations } from './confirmations/configured-settings';
import type { Dependencies } from './dependencies';
import { createFlowStore } from './flows/store/create-flow-store';
import { createReader } from './temporal/reader';
import type { RevivalParts } from './temporal/resume-ended';
import { createTransactions } from './temporal/transactions.client';

/** A chunk takes some milliseconds: twenty persons who send at once wait for fractions of a second. */
const imageConnections = 6;

/** What stands on settings and connections alone; whether the process is ready, and its loops, are its own matter. */
export function openDependencies(
  config: ApiConfig,
  logger: Logger,
): { dependencies: Omit<Dependencies, 'ready' | 'processEvents'>; connection: Connection; revival: RevivalParts } {
  const keys = deriveKeys(config.SERVICE_KEY);
  const pool = openPool(config.DATABASE_URL, logger);
  // Images have connections of their own: many that come in at once keep no read waiting.
  const imagePool = openPool(config.DATABASE_URL, logger, imageConnections);
  const { client, connection } = openTemporal(config);
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const reader = createReader(pool);
  const dependencies = {
    config,
    keys,
    logger,
    pool,
    tokens: createAccessTokens(keys.accessToken, config.COUNTERSIGN_ENV, config.ACCESS_TOKEN_SECONDS),
    confirmations: configureConfirmations(config.FLOW_SETTINGS),
    flowStore: createFlowStore(pool, flows),
    biometrics: configureBiometrics(config.BIOMETRICS_SETTINGS),
    images: createSealedImages(imagePool, keys, openImageStore(config)),
    uploads: createUploads(imagePool, keys),
    reencoder: createReencoder(),
    transactions: createTransactions({ connection, namespace, taskQueue, keys, reader, reads: config.READS }),
  };
  return { dependencies, connection, revival: { client, connection, taskQueue, reader, logger } };
}
