import { msToTs } from '@temporalio/common/lib/time';
import type { NativeConnection } from '@temporalio/worker';
import { ConfigurationError, readTemporalConfig } from '../platform/config';
import { createLogger } from '../platform/logger';
import { grpcCodes, serviceCodeOf } from '../platform/outage';
import { type CommandContext, runOnDatabase } from '../platform/postgres/command-database';
import { retryUntilReachable } from '../platform/startup';
import { createConnector } from '../platform/temporal/connection';
import { cliOptions, type NamespaceOfServer } from '../platform/temporal/failures';
import { registerSearchAttributes } from '../platform/temporal/search-attributes';
import { searchAttributes } from '../workflows/contract/start';

const usage = `Prepares Temporal for the service. Can be repeated.

  npm run temporal -- prepare [--retention <days>]
      creates the namespace TEMPORAL_NAMESPACE if it is missing, and registers the search attributes.
      --retention: how long Temporal keeps the history of a closed workflow (default: 3). Reads need only Postgres

The settings are those of the worker: DATABASE_URL, TEMPORAL_ADDRESS and so on. The account in TEMPORAL_API_KEY or
TEMPORAL_TLS_CERT must be an administrator of the namespace. The account of API and worker need not be one.
`;

/** The fewest days of history that Temporal keeps. */
const retentionDaysMin = 1;

/** Creates the namespace and its search attributes. Returns the exit code: 1 if the command failed. */
export function runTemporal(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const [command, option, days = '3', ...rest] = args;
    const retentionDays = Number(days);
    const isValid = command === 'prepare' && (option ?? '--retention') === '--retention' && rest.length === 0;
    if (!isValid || !Number.isInteger(retentionDays) || retentionDays < retentionDaysMin) {
      stdout.write(usage);
      return command === '--help' ? 0 : 1;
    }
    const { pool, settings } = open(readTemporalConfig);
    const connection = await createConnector(settings)();
    try {
      const created = await createNamespace(connection, settings, retentionDays);
      stdout.write(`The namespace ${settings.TEMPORAL_NAMESPACE} ${created ? 'was created' : 'exists'}.\n`);
      // The processes of a Temporal cluster know a new namespace only after some seconds.
      await retryUntilReachable('Temporal', createLogger('command', 'silent'), () =>
        registerSearchAttributes(pool, connection, settings, Object.values(searchAttributes)),
      );
      stdout.write('The search attributes are registered.\n');
      return 0;
    } finally {
      await connection.close();
    }
  });
}

/** Returns false if the namespace exists. */
async function createNamespace(
  { workflowService }: NativeConnection,
  server: NamespaceOfServer,
  retentionDays: number,
): Promise<boolean> {
  const namespace = server.TEMPORAL_NAMESPACE;
  try {
    await workflowService.describeNamespace({ namespace });
    return false;
  } catch (error) {
    if (serviceCodeOf(error) !== grpcCodes.notFound) throw refusal(error, server);
  }
  try {
    const workflowExecutionRetentionPeriod = msToTs(`${retentionDays} days`);
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    return true;
  } catch (error) {
    if (serviceCodeOf(error) === grpcCodes.alreadyExists) return false;
    throw refusal(error, server);
  }
}

function refusal(error: unknown, server: NamespaceOfServer): unknown {
  const code = serviceCodeOf(error);
  if (code !== grpcCodes.permissionDenied && code !== grpcCodes.unauthenticated) return error;
  return new ConfigurationError(
    `Temporal does not allow this account to create the namespace ${server.TEMPORAL_NAMESPACE}. Ask an administrator to run:\n` +
      `  temporal operator namespace create ${cliOptions(server)} --retention 72h\n` +
      '  Temporal Cloud: create the namespace at cloud.temporal.io, or with tcld namespace create',
  );
}
