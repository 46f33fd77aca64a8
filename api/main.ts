import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FlowError } from '../domain/flows/definition';
import { type ApiConfig, ConfigurationError, readApiConfig, stopDelayMs } from '../platform/config';
import { within } from '../platform/deadline';
import { acceptableConnections, createProbe, fatalErrorText } from '../platform/startup';
import { createLogger, openBufferedOutput } from '../platform/logger';
import { startTemporalCore } from '../platform/temporal/log';
import { createApp } from './app';
import { ClientVersions } from './clients/client-versions';
import { readBootstrapClients } from './clients/clients';
import { NewEvents } from './events/new-events';
import { createHttpServer } from './http/http-server';
import { trustedBy } from './http/limits/rate-limits';
import { BucketSharing } from './http/limits/bucket-sharing';
import type { Dependencies } from './dependencies';
import { createServiceKeys } from '../platform/keys/service-keys';
import { SigningKeys } from '../platform/keys/signing-keys';
import { directUrl, observePools, openPool } from '../platform/postgres/postgres';
import { startMetrics } from '../platform/telemetry/metrics';
import { startTraces } from '../platform/telemetry/traces';
import { createStartingApp } from './starting-app';
import { openDependencies, readSettings } from './open-dependencies';
import { prepareDatabase, prepareTemporal } from './prepare';
import { ProviderEventProcessor } from './providers/provider-event-processor';

/**
 * How long a stopping process that accepts no more connections waits for open requests. Most requests take at most 5 s. Only uploads, and
 * commands that wait for other commands of the same transaction, can take longer. With the default of STOP_DELAY_SECONDS, a process ends
 * within 14 s. Kubernetes allows 30 s, and docker-compose.yml 15 s.
 */
const drainTimeoutMs = 9_000;

/** How long a stopping process waits for the provider events that it is processing. */
const eventTimeoutMs = 500;

/** Starts to listen. Throws ConfigurationError if the port is in use or not allowed. */
async function listen(server: Server, { PORT, HOST }: ApiConfig): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ConfigurationError(`PORT: ${error.message}`)));
    server.listen(PORT, HOST, resolve);
  });
}

/** Stops accepting connections and waits for open requests. After `drainTimeoutMs`, closes all connections. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await within(drainTimeoutMs, closed, () => server.closeAllConnections());
}

async function main(): Promise<void> {
  const config = readApiConfig();
  const bootstrapClients = readBootstrapClients(config.BOOTSTRAP_CLIENTS);
  const settings = readSettings(config);
  const logger = createLogger('api', config.LOG_LEVEL, openBufferedOutput());
  // The list of signals is empty: the API handles all signals, and Temporal's code handles none.
  const { coreAddress } = await startMetrics(config, 'countersign-api');
  const stopTraces = startTraces(config, 'countersign-api', logger);
  startTemporalCore(logger, [], coreAddress);
  const pool = openPool(config, logger);
  observePools();
  const databaseAnswers = createProbe(() => pool.query('select 1'));
  let stopping = false;
  let stopWork = async () => {};
  let stopWaits = async () => {};
  let app = createStartingApp(config, logger);
  const connectionsMax = Math.min(config.CONNECTIONS_MAX, acceptableConnections());
  if (connectionsMax < config.CONNECTIONS_MAX)
    logger.warn(
      { connectionsMax },
      'the limit of open files (ulimit -n) allows fewer connections than CONNECTIONS_MAX',
    );
  const answer: RequestListener = (request, response) => {
    // With this header, clients close their connections after the response. Open connections would delay the end of the process.
    if (stopping) response.setHeader('Connection', 'close');
    app(request, response);
  };
  const server = createHttpServer(answer, { connectionsMax, isProxy: trustedBy(config.TRUST_PROXY) });
  await listen(server, config);
  logger.info({ port: config.PORT }, 'API listening');

  const stop = async () => {
    if (stopping) return;
    stopping = true;
    logger.info('API stopping');
    // From now on, the API is not ready. A balancer needs some time to notice, and must not find the port closed until then.
    await sleep(stopDelayMs(config));
    // Requests that wait for events end at once.
    await Promise.all([drain(server), stopWaits()]);
    await stopWork();
    await stopTraces();
    // The end of the process also closes the connection to Temporal. The connection must not be closed earlier, because a retry by the SDK
    // on a closed connection throws.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

  const startup = { logger, isStopping: () => stopping };
  const serviceKeys = createServiceKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS);
  const keys = await prepareDatabase(startup, config, bootstrapClients, pool, serviceKeys);
  if (!keys || stopping) return;
  const signingKeys = new SigningKeys({ pool, serviceKeys, logger });
  await signingKeys.load();
  const {
    dependencies: baseDependencies,
    buckets,
    connect,
  } = openDependencies(config, settings, { pool, keys, signingKeys, logger });
  const clientVersions = new ClientVersions(baseDependencies);
  const newEvents = new NewEvents(logger, {
    databaseUrl: directUrl(config),
    // The other half is for short requests.
    waitingMax: Math.floor(connectionsMax / 2),
  });
  stopWaits = () => newEvents.stop();
  const eventProcessor = new ProviderEventProcessor(baseDependencies);
  const dependencies: Dependencies = {
    ...baseDependencies,
    clientVersions,
    isReady: async () =>
      clientVersions.isLoaded && signingKeys.keys !== undefined && !stopping && (await databaseAnswers()),
    newEvents,
    providerEvents: eventProcessor,
  };
  const bucketSharing = new BucketSharing(buckets, dependencies);
  stopWork = async () => {
    clientVersions.stop();
    signingKeys.stop();
    bucketSharing.stop();
    await baseDependencies.flowCompute.close();
    // This process has a lease on each provider event that it is processing. If it cannot finish an event now, another process gets the
    // event when the lease has ended.
    await within(eventTimeoutMs, eventProcessor.stop(), () => undefined);
  };
  app = createApp(dependencies);
  await prepareTemporal(startup, pool, connect, config);
}

main().catch((error: unknown) => {
  process.stderr.write(`${fatalErrorText(error, FlowError)}\n`);
  process.exit(1);
});
