import { FlowError } from '../domain/flows/definition';
import { flows } from '../flows';
import type { ApiConfig, DatabaseSettings } from '../platform/config';
import { openKeysOfEnvironment } from '../platform/keys/root-secret';
import type { Keys, ServiceKeys } from '../platform/keys/service-keys';
import { maintainSigningKeys } from '../platform/keys/signing-keys';
import type { Logger } from '../platform/logger';
import { directUrl, migrate, type Pool } from '../platform/postgres/postgres';
import { requireRowSecurity, requireSessions } from '../platform/postgres/requirements';
import type { NamespaceOfServer } from '../platform/temporal/failures';
import { registerSearchAttributes, type OperatorConnection } from '../platform/temporal/search-attributes';
import { retryUntilReachable } from '../platform/startup';
import { searchAttributes } from '../workflows/contract/start';
import { type NewClient, saveClient } from './clients/clients';
import { registerBuiltInFlows } from './flows/catalog/open-flow-store';

/**
 * What the preparation needs from a starting process. The process waits without a time limit for Postgres, then for Temporal. It accepts
 * requests as soon as the database is prepared.
 */
export interface StartupContext {
  logger: Logger;
  isStopping: () => boolean;
}

/**
 * Updates the schema. Saves the bootstrap clients, the built-in flows and the first signing key. Returns the keys of the service. Returns
 * undefined if the process is stopping. Throws FlowError if a built-in flow differs from its saved version. Throws ConfigurationError in
 * three cases: a service key is missing, the database belongs to another environment, or the database role bypasses row-level security.
 */
export async function prepareDatabase(
  { logger, isStopping }: StartupContext,
  config: DatabaseSettings & Pick<ApiConfig, 'COUNTERSIGN_ENV'>,
  clients: readonly NewClient[],
  pool: Pool,
  serviceKeys: ServiceKeys,
): Promise<Keys | undefined> {
  const prepare = async () => {
    await requireSessions(pool, config);
    await migrate(directUrl(config), logger);
    await requireRowSecurity(pool, config.COUNTERSIGN_ENV, logger);
    const keys = await openKeysOfEnvironment(pool, serviceKeys, config.COUNTERSIGN_ENV);
    for (const client of clients) await saveClient(pool, client);
    await registerBuiltInFlows(pool, flows);
    await maintainSigningKeys(pool, serviceKeys);
    return keys;
  };
  const isFinal = (error: unknown) => error instanceof FlowError;
  return retryUntilReachable('Postgres', logger, prepare, { timeoutMs: Infinity, isStopped: isStopping, isFinal });
}

/**
 * Registers the search attributes of transactions in Temporal: the fields by which operators can search workflows. The API does this,
 * because a caller may create a transaction before a worker has run, and Temporal rejects unknown search attributes. If Temporal does not
 * let this process add them, throws ConfigurationError with the commands that an operator must run.
 */
export async function prepareTemporal(
  { logger, isStopping }: StartupContext,
  pool: Pool,
  connect: () => Promise<OperatorConnection>,
  server: NamespaceOfServer,
): Promise<void> {
  const register = async () => registerSearchAttributes(pool, await connect(), server, Object.values(searchAttributes));
  await retryUntilReachable('Temporal', logger, register, { timeoutMs: Infinity, isStopped: isStopping });
}
