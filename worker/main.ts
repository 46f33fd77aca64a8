import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { openActivities } from '../activities';
import { readWorkerConfig } from '../platform/config';
import { fatalErrorText } from '../platform/fatal-error';
import { createLogger } from '../platform/logger';
import { migrate } from '../platform/postgres';
import { retryUntilReachable } from '../platform/retry-until-reachable';
import { ensureSearchAttributes, openTemporal, temporalOptions } from '../platform/temporal';
import { searchAttributes } from '../workflows/contract';
import { builtBundle } from './built-bundle';
import { createWorkers } from './create-workers';
import { ensureSchedules } from './ensure-schedules';
import { serveHealth } from './health';
import { sdkLogOptions } from './sdk-log';

/**
 * Closing idle connections takes milliseconds. A statement of a cancelled attempt may hold its connection for up to 5 s, but nobody
 * needs its outcome.
 */
const closeWithinMs = 1_000;

/** Leaves 2 s to close connections and write logs, before an orchestrator kills the process 10 s after the stop signal. */
const shutdownForceTime = '8s';

async function main(): Promise<void> {
  const config = readWorkerConfig();
  const logger = createLogger('worker', config.LOG_LEVEL);
  Runtime.install({ shutdownSignals: ['SIGINT', 'SIGTERM'], ...sdkLogOptions(logger) });

  await retryUntilReachable('Postgres', logger, () => migrate(config.DATABASE_URL, logger));
  const { connection: clientConnection, client } = openTemporal(config);
  await retryUntilReachable('Temporal', logger, async () => {
    await ensureSearchAttributes(clientConnection, config.TEMPORAL_NAMESPACE, Object.values(searchAttributes));
    await ensureSchedules(client.schedule, config.TEMPORAL_TASK_QUEUE);
  });

  const connection = await NativeConnection.connect(temporalOptions(config));
  const { activities, close } = openActivities(config, logger);
  const workers = await createWorkers({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    activities,
    workflowBundle: builtBundle,
    cachedWorkflows: config.WORKER_CACHED_WORKFLOWS,
    shutdownForceTime,
    logger,
  });
  logger.info({ taskQueue: config.TEMPORAL_TASK_QUEUE }, 'worker started');
  const workersStopped = workers.run();
  const stopHealth = serveHealth(workers, client.workflow, config.WORKER_HEALTH_PORT);
  await workersStopped;
  await clientConnection.close();
  await connection.close();
  await Promise.race([close(), sleep(closeWithinMs)]);
  stopHealth();
  logger.info('worker stopped');
  // Requests of cancelled attempts must not keep the process alive.
  process.exit(0);
}

main().catch((error: unknown) => {
  createLogger('worker', 'info').fatal({ failure: fatalErrorText(error) }, 'the worker stopped with an error');
  process.exit(1);
});
