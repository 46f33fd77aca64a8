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
import { readSendingLimits } from '../platform/sending-limits';
import { createQueryClientOpener, openTemporal } from '../platform/temporal';
import { createAccessTokens } from './http/auth/access-tokens';
import { configureBiometrics } from './biometrics/settings';
import { configureConfirmations } from './confirmations/configure-confirmations';
import type { Dependencies } from './dependencies';
import { createFlowStore } from './flows/store/create-flow-store';
import { createRecordReader } from './temporal/record-reader';
import type { ResumeDependencies } from './temporal/resume-ended';
import { createTransactions } from './temporal/transactions.client';

/** Saving one chunk takes a few milliseconds. So even with twenty uploads at once, each waits less than a second. */
const imageConnectionsMax = 6;

/** Creates the dependencies that need only settings and connections. The process adds the others. */
export function openDependencies(
  config: ApiConfig,
  logger: Logger,
): {
  dependencies: Omit<Dependencies, 'clientVersions' | 'isReady' | 'processProviderEvents'>;
  connection: Connection;
  resumeDependencies: ResumeDependencies;
} {
  const keys = deriveKeys(config.SERVICE_KEY);
  const pool = openPool(config.DATABASE_URL, logger);
  // A separate pool, so that many uploads at once do not delay reads.
  const imagePool = openPool(config.DATABASE_URL, logger, imageConnectionsMax);
  const { client, connection } = openTemporal(config);
  const openQueryClient = createQueryClientOpener(config);
  const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const reader = createRecordReader(pool);
  const dependencies = {
    config,
    keys,
    logger,
    pool,
    accessTokens: createAccessTokens(keys.accessToken, config.COUNTERSIGN_ENV, config.ACCESS_TOKEN_SECONDS),
    confirmationSettings: configureConfirmations(config.FLOW_SETTINGS),
    flowStore: createFlowStore(pool, flows),
    sendingLimits: readSendingLimits(config.SENDING_LIMITS),
    biometricsSettings: configureBiometrics(config.BIOMETRICS_SETTINGS),
    images: createSealedImages(imagePool, keys, openImageStore(config)),
    uploads: createUploads(imagePool, keys),
    reencoder: createReencoder(),
    transactions: createTransactions({ client, openQueryClient, taskQueue, keys, reader, reads: config.READS }),
  };
  return { dependencies, connection, resumeDependencies: { client, taskQueue, reader, logger } };
}
