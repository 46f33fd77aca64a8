import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { FlowError } from '../domain/flows/flow-error';
import { flows } from '../flows';
import { type ApiConfig, readApiConfig } from '../platform/config';
import { createLogger, type Logger } from '../platform/logger';
import { migrate, type Pool } from '../platform/postgres';
import { ensureSearchAttributes } from '../platform/temporal';
import { searchAttributes } from '../workflows/contract';
import { createApp } from './app';
import { type NewClient, readBootstrapClients, saveClient } from './clients/clients';
import { createBoundedServer } from './http/bounded-server';
import type { Dependencies } from './dependencies';
import { registerCodeFlows } from './flows/store/register-code-flows';
import { openDependencies } from './open-dependencies';
import { EventLoop } from './providers/event-loop';
import { EndedTransactions } from './temporal/resume-ended';

/** Time for open requests, which take at most 5 s. Orchestrators kill a process that needs more than 10 s to stop. */
const drainMs = 9_000;

/** Time for the provider event in work. */
const eventsMs = 500;

const schemaRetryMs = 1_000;

async function prepareDatabase(
  databaseUrl: string,
  clients: readonly NewClient[],
  pool: Pool,
  logger: Logger,
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    try {
      await migrate(databaseUrl, logger);
      for (const client of clients) await saveClient(pool, client);
      await registerCodeFlows(pool, flows);
      return;
    } catch (error) {
      // A changed version of a code flow does not go away by retrying.
      if (error instanceof FlowError) throw error;
      const { code, name } = error as { code?: string; name?: string };
      logger.warn({ failure: code ?? name }, 'Postgres is not ready; retrying');
      await pause(schemaRetryMs);
    }
  }
}

/** A transaction may be created before the first worker ran, and Temporal rejects unknown search attributes. */
async function registerAttributes(connection: Connection, namespace: string, logger: Logger, stopped: () => boolean) {
  while (!stopped()) {
    try {
      return await ensureSearchAttributes(connection, namespace, Object.values(searchAttributes));
    } catch (error) {
      logger.warn({ failure: (error as Error).name }, 'Temporal is not ready; retrying');
      await pause(schemaRetryMs);
    }
  }
}

async function listen(server: Server, { PORT, HOST }: ApiConfig): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(PORT, HOST, resolve);
  });
}

/** Stops accepting, waits for open requests, then closes the rest. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const finished = await Promise.race([closed.then(() => true), pause(drainMs, false, { ref: false })]);
  if (!finished) server.closeAllConnections();
}

async function main(): Promise<void> {
  const config = readApiConfig();
  const clients = readBootstrapClients(config.BOOTSTRAP_CLIENTS);
  const logger = createLogger('api', config.LOG_LEVEL);
  const { dependencies: opened, connection, resume } = openDependencies(config, logger);
  const { pool } = opened;
  let prepared = false;
  let stopping = false;
  let events: EventLoop | undefined;
  let endedTransactions: EndedTransactions | undefined;
  const dependencies: Dependencies = {
    ...opened,
    ready: async () =>
      prepared &&
      !stopping &&
      (await pool.query('select 1').then(
        () => true,
        () => false,
      )),
    processEvents: () => events?.runNow(),
  };
  const app = createApp(dependencies);
  const server = createBoundedServer((request, response) => {
    // Keep-alive connections would delay the drain.
    if (stopping) response.setHeader('Connection', 'close');
    app(request, response);
  });
  await listen(server, config);
  logger.info({ port: config.PORT }, 'API listening');

  const stop = async () => {
    if (stopping) return;
    stopping = true;
    logger.info('API stopping');
    await drain(server);
    endedTransactions?.stop();
    // The event in work is leased: another process, or the next start, takes it over.
    await Promise.race([events?.stop(), pause(eventsMs)]);
    // The exit closes the Temporal connection: a call that the SDK is about to retry would throw on a closed one.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

  await prepareDatabase(config.DATABASE_URL, clients, pool, logger, () => stopping);
  prepared = true;
  if (!stopping) events = new EventLoop(dependencies);
  await registerAttributes(connection, config.TEMPORAL_NAMESPACE, logger, () => stopping);
  if (!stopping) endedTransactions = new EndedTransactions(resume);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exit(1);
});
