import { setTimeout as pause } from 'node:timers/promises';
import type { defineSearchAttributeKey } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { ConfigurationError } from '../config';
import { grpcCodes, serviceCodeOf } from '../outage';
import { inTransaction, type Pool } from '../postgres/postgres';
import { accessError, cliOptions, MissingNamespaceError, type NamespaceOfServer } from './failures';

type SearchAttributeKey = ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>;

const keywordType = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/**
 * How long to wait until the list of Temporal has a new search attribute. The processes of a Temporal cluster read their namespaces again
 * every few seconds.
 */
const visibleWithinMs = 30_000;
const listEveryMs = 250;

export type OperatorConnection = Pick<NativeConnection, 'operatorService' | 'workflowService'>;

const deniedCodes: readonly unknown[] = [grpcCodes.permissionDenied, grpcCodes.unauthenticated];

/** Throws the error for operators if the server refuses this process or has no such namespace, and otherwise the same error. */
function rethrow(error: unknown, server: NamespaceOfServer): never {
  const code = serviceCodeOf(error);
  if (code === grpcCodes.notFound) throw new MissingNamespaceError(server);
  throw deniedCodes.includes(code) ? accessError(server) : error;
}

/** Whether searches know a search attribute. This needs only the permission to read workflows. */
async function isSearchable(
  { workflowService }: OperatorConnection,
  server: NamespaceOfServer,
  name: string,
): Promise<boolean> {
  try {
    await workflowService.countWorkflowExecutions({ namespace: server.TEMPORAL_NAMESPACE, query: `${name} = 'none'` });
    return true;
  } catch (error) {
    if (serviceCodeOf(error) === grpcCodes.invalidArgument) return false;
    return rethrow(error, server);
  }
}

/**
 * The names in `keys` that the namespace does not have. Temporal Cloud does not let this process list them, so searches must show it there.
 * Throws TemporalSetupError.
 */
async function findMissing(
  connection: OperatorConnection,
  server: NamespaceOfServer,
  keys: readonly SearchAttributeKey[],
): Promise<string[]> {
  const names = keys.map(({ name }) => name);
  try {
    const namespace = server.TEMPORAL_NAMESPACE;
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const existing: Readonly<Record<string, unknown>> = customAttributes;
    return names.filter((name) => existing[name] !== keywordType);
  } catch (error) {
    if (!deniedCodes.includes(serviceCodeOf(error))) return rethrow(error, server);
    const known = await Promise.all(names.map((name) => isSearchable(connection, server, name)));
    return names.filter((_name, index) => !known[index]);
  }
}

/**
 * Adds missing search attributes to a namespace of Temporal, and returns when they can be used. A workflow that sets an unknown search
 * attribute waits for ever, so no worker may start before this function has succeeded. Some servers, such as Temporal Cloud, do not allow
 * this process to add search attributes. In this case, throws ConfigurationError with the commands by which an operator can add them. Throws
 * TemporalSetupError. Only one process at a time may call this function: see `registerSearchAttributes`.
 */
export async function ensureSearchAttributes(
  connection: OperatorConnection,
  server: NamespaceOfServer,
  keys: readonly SearchAttributeKey[],
): Promise<void> {
  // Temporal's test server, which skips waiting times, cannot list search attributes.
  const listing = findMissing(connection, server, keys).catch((error: unknown) => {
    if (serviceCodeOf(error) === grpcCodes.unimplemented) return undefined;
    throw error;
  });
  const missingNames = await listing;
  for (const name of missingNames ?? keys.map((key) => key.name)) {
    try {
      await connection.operatorService.addSearchAttributes({
        namespace: server.TEMPORAL_NAMESPACE,
        searchAttributes: { [name]: keywordType },
      });
    } catch (error) {
      if (deniedCodes.includes(serviceCodeOf(error))) throw permissionError(server, missingNames ?? []);
      // Another process has already added the search attribute.
      if (serviceCodeOf(error) !== grpcCodes.alreadyExists) throw error;
    }
  }
  if (!missingNames?.length) return;
  for (const deadlineMs = Date.now() + visibleWithinMs; Date.now() < deadlineMs; await pause(listEveryMs))
    if ((await findMissing(connection, server, keys)).length === 0) return;
  throw new Error('Temporal does not list the new search attributes yet.');
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('search attributes of ' || $1, 0))`;

/**
 * While the holder of the lock waits for Temporal, its database transaction is idle. With the time limit of the pool, Postgres would give the
 * lock to the next process in the middle of the work. Without a limit, the lock ends when the work does, or with the process.
 */
const allowIdleSql = 'set local idle_in_transaction_session_timeout = 0';

/**
 * Like `ensureSearchAttributes`, for processes that start at the same time. If two processes add the same search attribute at once, Temporal
 * gives it two columns, and searches miss rows. So a lock in Postgres lets one process after the other add what is missing.
 */
export async function registerSearchAttributes(
  pool: Pool,
  connection: OperatorConnection,
  server: NamespaceOfServer,
  keys: readonly SearchAttributeKey[],
): Promise<void> {
  if ((await findMissing(connection, server, keys)).length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query(allowIdleSql);
    await client.query(lockSql, [server.TEMPORAL_NAMESPACE]);
    await ensureSearchAttributes(connection, server, keys);
  });
}

function permissionError(server: NamespaceOfServer, names: readonly string[]): ConfigurationError {
  const namespace = server.TEMPORAL_NAMESPACE;
  const list = (option: (name: string) => string) => names.map(option).join(' ');
  return new ConfigurationError(
    `Temporal does not allow this process to add search attributes to the namespace ${namespace}. ` +
      `Create these of type Keyword, then start again: ${names.join(', ')}.\n` +
      '  npm run temporal -- prepare   (with an account that may change the namespace)\n' +
      `  temporal operator search-attribute create ${cliOptions(server)} ${list((name) => `--name ${name} --type Keyword`)}\n` +
      `  Temporal Cloud: tcld namespace search-attributes add --namespace ${namespace} ${list((name) => `--search-attribute "${name}=Keyword"`)}`,
  );
}
