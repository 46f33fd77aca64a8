import { flows } from '../flows';
import type { ApiConfig } from '../platform/config';
import { openImageStore } from '../images/s3-store';
import { createReencoder } from '../images/reencode-image';
import { createSealedImages } from '../images/sealed-images';
import { createUploads } from '../images/uploads';
import { openPool } from '../platform/postgres/postgres';
import { readListedProviders, readProviders } from '../messages/read-messaging';
import { readSendingLimits } from '../messages/sending-limits';
import { TransactionKeys } from '../platform/keys/data-keys';
import {
  createConnector,
  createQueryClientOpener,
  openTemporal,
  terminateWorkflow,
} from '../platform/temporal/connection';
import { createDataConverter, createPayloadCodec } from '../platform/temporal/data-converter';
import { PostgresDayKeys } from '../store/messages/day-keys';
import { eraseTransaction } from '../store/privacy/erase-transaction';
import { openErasureLog } from '../store/privacy/erasure-log';
import { dataOwnerOf, transactionWorkflowId } from '../workflows/contract/ids';
import type { Target } from './transactions/transactions';
import { Brands } from './brand/brands';
import { createAccessTokens } from './http/auth/access-tokens';
import { OutsideIssuer, readOutsideIssuer } from './http/auth/outside-issuer';
import { createRateLimits } from './http/limits/rate-limits';
import { TokenBuckets } from '../platform/token-buckets';
import { configureBiometrics } from './biometrics/settings';
import { configureConfirmations } from './confirmations/configure-confirmations';
import { createOwnProviders } from './messaging/messaging';
import { usualTerms } from './confirmations/terms';
import { readBuiltPages } from './pages/built-pages';
import type { Dependencies } from './dependencies';
import { openFlowCompute } from './flows/compute/flow-compute';
import { createFlowStore } from './flows/catalog/open-flow-store';
import { openFirstAssessment } from './transactions/first-assessment';
import { openPolicies, type Policies } from '../scoring/policy/policies';
import { openRecords } from './transactions/records';
import { readClientAddresses } from './clients/client-addresses.sql';
import { createTransactions } from './transactions/transactions.client';
import { withTestValues } from './test-mode/with-test-values';

/**
 * Maximum number of database connections for images. Saving one chunk takes a few milliseconds. So even with twenty uploads at the same
 * time, a chunk waits less than a second for a connection.
 */
const imageConnectionsMax = 6;

type Settings = Pick<
  Dependencies,
  'confirmationSettings' | 'providers' | 'listedProviders' | 'sendingLimits' | 'biometricsSettings'
> & {
  policies: Policies;
};

/** Reads the settings that have JSON as their value, and the scoring policies. Throws ConfigurationError. */
export const readSettings = (config: ApiConfig): Settings => ({
  confirmationSettings: configureConfirmations(config.FLOW_SETTINGS),
  providers: readProviders(config),
  listedProviders: readListedProviders(config),
  sendingLimits: readSendingLimits(config),
  biometricsSettings: configureBiometrics(config.BIOMETRICS_SETTINGS),
  policies: openPolicies(config.SCORING_POLICIES),
});

type OpenedDependencies = Omit<Dependencies, 'clientVersions' | 'isReady' | 'newEvents' | 'providerEvents'>;

/** Creates the dependencies that need only settings and connections. `main` adds the others. */
export function openDependencies(
  config: ApiConfig,
  { policies, ...settings }: Settings,
  { pool, keys, signingKeys, logger }: Pick<Dependencies, 'pool' | 'keys' | 'signingKeys' | 'logger'>,
): {
  dependencies: OpenedDependencies;
  buckets: TokenBuckets;
  connect: ReturnType<typeof createConnector>;
} {
  logger.info({ versions: policies.versions }, 'scoring policies loaded');
  // A separate pool, so that many uploads at once do not delay reads.
  const imagePool = openPool(config, logger, imageConnectionsMax);
  const transactionKeys = new TransactionKeys(pool, keys.serviceKeys);
  const codecOptions = { transactionKeys, ownerOf: dataOwnerOf, encrypts: config.ENCRYPT_PAYLOADS };
  const dataConverter = createDataConverter(codecOptions);
  const records = openRecords({ pool, keys, transactionKeys, logger });
  const { client } = openTemporal(config, dataConverter);
  const connect = createConnector(config);
  const openQueryClient = createQueryClientOpener(connect, config.TEMPORAL_NAMESPACE, dataConverter);
  const buckets = new TokenBuckets();
  const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const images = createSealedImages(imagePool, keys, openImageStore(config));
  const erasure = {
    pool,
    transactionKeys,
    erasureLog: openErasureLog(config),
    endWorkflow: ({ tenant, id }: Target) => terminateWorkflow(client, transactionWorkflowId(tenant, id), 'erased'),
  };
  const issuerSettings = readOutsideIssuer(config);
  const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
  const transactions = createTransactions({
    client,
    openQueryClient,
    taskQueue,
    keys,
    records,
    erase: (target, actor) => eraseTransaction(erasure, target, actor),
    reads: config.READS,
    assessFirst: openFirstAssessment(config, { pool, keys, transactionKeys, policies, logger }),
    logger,
  });
  const dependencies = withTestValues<OpenedDependencies>(config, {
    ...settings,
    ownProvidersOf: createOwnProviders({ config, keys, pool }),
    config,
    keys,
    logger,
    builtPages: readBuiltPages(),
    pool,
    brands: new Brands(pool, config),
    signingKeys,
    accessTokens: createAccessTokens({
      signingKeys,
      issuer: config.PUBLIC_URL,
      environment: config.COUNTERSIGN_ENV,
      lifetimeSeconds: config.ACCESS_TOKEN_SECONDS,
    }),
    outsideIssuer: issuerSettings && new OutsideIssuer(issuerSettings, logger),
    clientAddresses: (clientId: string) => readClientAddresses(pool, clientId),
    rateLimits: createRateLimits(config, keys, buckets),
    flowStore: createFlowStore(pool, flows),
    flowCompute: openFlowCompute(),
    images,
    dayKeys,
    uploads: createUploads(imagePool, keys),
    reencoder: createReencoder(),
    payloadCodec: createPayloadCodec(codecOptions),
    transactions,
    termsOf: async ({ id }) => usualTerms(keys, id),
    // Reviewers learn of the images from lists and webhooks.
    requestReview: async () => undefined,
    answerHeaders: {},
  });
  return { dependencies, buckets, connect };
}
