import { Client } from '@temporalio/client';
import { openActivities } from '../activities';
import { readWorkerConfig } from '../platform/config';
import { within } from '../platform/deadline';
import { fatalErrorText, retryUntilReachable } from '../platform/startup';
import { createLogger } from '../platform/logger';
import { openKeysOfEnvironment } from '../platform/keys/root-secret';
import { createServiceKeys } from '../platform/keys/service-keys';
import { TransactionKeys } from '../platform/keys/data-keys';
import { directUrl, migrate, observePools, openPool } from '../platform/postgres/postgres';
import { requireRowSecurity, requireSessions } from '../platform/postgres/requirements';
import { startMetrics } from '../platform/telemetry/metrics';
import { startTraces } from '../platform/telemetry/traces';
import { createConnector, terminateWorkflow, withDeadline } from '../platform/temporal/connection';
import { createDataConverter } from '../platform/temporal/data-converter';
import { startTemporalCore } from '../platform/temporal/log';
import { registerSearchAttributes } from '../platform/temporal/search-attributes';
import { dataOwnerOf, transactionWorkflowId } from '../workflows/contract/ids';
import { searchAttributes } from '../workflows/contract/start';
import { observeBacklog } from './backlog';
import { builtBundle } from './bundle';
import { createWorkers } from './create-workers';
import { Activation } from './deployment/activation';
import { Deployment, ownVersion, versionText } from './deployment/versions';
import { createErasedWorkflowEnder } from './erased-workflows';
import { deliverWaiting, startWebhookDeliveries } from './webhook-deliveries';
import { ensureSchedules, runRetention } from './retention-schedule';
import { createReadiness, serveHealth } from './readiness';
import { DueTransactionResumer } from './resume-due';
import { claimDueTransactions } from '../store/transactions/list-transactions.sql';
import { findState } from '../store/transactions/transactions.sql';

/** How long a batch of the retention waits to learn whether Temporal answers. Temporal needs milliseconds if it does. */
const askTemporalMs = 5_000;

/**
 * How long the process waits until its connections are closed. Usually this takes milliseconds. An SQL statement of a canceled activity may
 * hold its connection for up to 5 s, but nobody needs the result of this statement.
 */
const closeWithinMs = 1_000;

/** See `WorkerDependencies`. By default, Docker kills the process 10 s after the stop signal, so 2 s remain to close connections. */
const shutdownForceTime = '8s';

async function main(): Promise<void> {
  const config = readWorkerConfig();
  const logger = createLogger('worker', config.LOG_LEVEL);
  const { coreAddress } = await startMetrics(config, 'countersign-worker');
  const stopTraces = startTraces(config, 'countersign-worker', logger);
  startTemporalCore(logger, ['SIGINT', 'SIGTERM'], coreAddress);

  let isReady = async () => false;
  const healthAddress = { host: config.WORKER_HEALTH_HOST, port: config.WORKER_HEALTH_PORT };
  // The server also answers while the process waits for Postgres or Temporal: the process is then live, but not ready.
  const stopHealth = serveHealth(healthAddress, () => isReady());
  const pool = openPool(config, logger);
  observePools();
  observeBacklog(pool, logger);
  const serviceKeys = createServiceKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS);
  const keys = await retryUntilReachable('Postgres', logger, async () => {
    await requireSessions(pool, config);
    await migrate(directUrl(config), logger);
    await requireRowSecurity(pool, config.COUNTERSIGN_ENV, logger);
    return openKeysOfEnvironment(pool, serviceKeys, config.COUNTERSIGN_ENV);
  });
  if (!keys) throw new Error('The keys were not opened: this is a bug.');
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const connect = createConnector(config);
  await retryUntilReachable('Temporal', logger, async () => {
    const connection = await connect();
    await registerSearchAttributes(pool, connection, config, Object.values(searchAttributes));
    await ensureSchedules(new Client({ connection, namespace }).schedule, taskQueue);
  });

  const connection = await connect();
  const transactionKeys = new TransactionKeys(pool, serviceKeys);
  const client = new Client({ connection, namespace });
  const endWorkflow = ({ tenant, id }: { tenant: string; id: string }) =>
    terminateWorkflow(client, transactionWorkflowId(tenant, id), 'retention');
  const askTemporal = () => withDeadline(client, askTemporalMs, () => connection.workflowService.getSystemInfo({}));
  const { activities, close } = openActivities(
    config,
    { pool, keys, transactionKeys, endWorkflow, askTemporal },
    logger,
  );
  const onErased = createErasedWorkflowEnder(client, logger);
  const dataConverter = createDataConverter({
    transactionKeys,
    ownerOf: dataOwnerOf,
    encrypts: config.ENCRYPT_PAYLOADS,
    onErased,
  });
  const version = ownVersion(config);
  const workers = await createWorkers({
    connection,
    namespace,
    taskQueue,
    version,
    activities,
    workflowBundle: builtBundle,
    dataConverter,
    cachedWorkflows: config.WORKER_CACHED_WORKFLOWS,
    shutdownForceTime,
    onErased,
    logger,
  });
  logger.info({ taskQueue, version: versionText(version) }, 'worker started');
  const workersStopped = workers.run();
  const stopDeliveries = startWebhookDeliveries({ client, pool, databaseUrl: directUrl(config), taskQueue, logger });
  const resumes = {
    client: new Client({ connection, namespace, dataConverter }),
    taskQueue,
    findState: (target: { tenant: string; id: string }) => findState(pool, transactionKeys, target),
    logger,
  };
  const resumer = new DueTransactionResumer({ ...resumes, claimDue: (claim) => claimDueTransactions(pool, claim) });
  const activation = new Activation({
    ...resumes,
    deployment: new Deployment(client, namespace, version.deploymentName),
    version,
    deliverWaiting: (webhook) => deliverWaiting(client, taskQueue, webhook),
  });
  const activated = config.WORKER_ACTIVATION === 'auto' ? activation.start() : Promise.resolve();
  void runRetention(client.schedule, logger);
  const isActive = () => activation.isActive;
  void activated.then(() => {
    isReady = createReadiness(workers, { pool, connection, client: client.workflow, namespace, isActive });
  });
  await workersStopped;
  resumer.stop();
  activation.stop();
  await stopDeliveries();
  await connection.close();
  await within(closeWithinMs, close(), () => undefined);
  await stopTraces();
  stopHealth();
  logger.info('worker stopped');
  // Open requests of canceled activities must not keep the process alive.
  process.exit(0);
}

main().catch((error: unknown) => {
  createLogger('worker', 'info').fatal({ failure: fatalErrorText(error) }, 'the worker stopped with an error');
  process.exit(1);
});
