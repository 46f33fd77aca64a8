import type { Connection } from '@temporalio/client';
import { FlowError } from '../domain/flows/flow-error';
import { flows } from '../flows';
import type { Logger } from '../platform/logger';
import { migrate, type Pool } from '../platform/postgres';
import { ensureSearchAttributes } from '../platform/temporal';
import { retryUntilReachable } from '../platform/retry-until-reachable';
import { searchAttributes } from '../workflows/contract';
import { type NewClient, saveClient } from './clients/clients';
import { registerCodeFlows } from './flows/store/register-code-flows';

/** A process that prepares its first use. It waits for Postgres and Temporal for as long as it runs: health checks show that it is not ready. */
export interface StartupContext {
  logger: Logger;
  stopped: () => boolean;
}

/** Updates the schema, and saves the clients of the settings and the flows of the code. Throws FlowError for a changed code flow. */
export async function prepareDatabase(
  { logger, stopped }: StartupContext,
  databaseUrl: string,
  clients: readonly NewClient[],
  pool: Pool,
): Promise<void> {
  const prepare = async () => {
    await migrate(databaseUrl, logger);
    for (const client of clients) await saveClient(pool, client);
    await registerCodeFlows(pool, flows);
  };
  const isFinal = (error: unknown) => error instanceof FlowError;
  await retryUntilReachable('Postgres', logger, prepare, { timeoutMs: Infinity, isStopped: stopped, isFinal });
}

/**
 * Registers the search attributes: a transaction may be created before the first worker ran, and Temporal rejects unknown ones. Throws
 * ConfigurationError with the commands to create them, if Temporal does not allow this process to add them.
 */
export async function prepareTemporal(
  { logger, stopped }: StartupContext,
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  const register = () => ensureSearchAttributes(connection, namespace, Object.values(searchAttributes));
  await retryUntilReachable('Temporal', logger, register, { timeoutMs: Infinity, isStopped: stopped });
}
