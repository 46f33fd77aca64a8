import { parseArgs } from 'node:util';
import { suggestNames } from '../../domain/closest-match';
import { type ApiConfig, readApiConfig } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { migrate, openPool, type Pool } from '../../platform/postgres';
import { listClients, makeClient, type NewClient, revokeClient, saveClient } from './clients';
import { tenantName } from '../../platform/tenant-name';
import { scopes } from '../http/auth/scopes';

const usage = `Usage:
  npm run client -- add --tenant <tenant> [--scopes "${scopes.slice(0, 2).join(' ')} …"]
  npm run client -- list
  npm run client -- revoke --client <client id>

The command uses the database of DATABASE_URL. Without this setting, npm start must be running with the same DATA_DIR.
Scopes (default: all): ${scopes.slice(0, 6).join(' ')}
  ${scopes.slice(6).join(' ')}
`;

type Command = (pool: Pool, config: Pick<ApiConfig, 'ACCESS_TOKEN_SECONDS'>) => Promise<string>;

const validScopes: ReadonlySet<string> = new Set(['*', ...scopes]);

function readScopes(scopeList: string): NewClient['scopes'] {
  const names = scopeList.split(/[\s,]+/).filter(Boolean);
  const unknown = names.find((scope) => !validScopes.has(scope));
  if (unknown !== undefined)
    throw new Error(`The scope ${unknown} is unknown. ${suggestNames('Use', unknown, scopes)}`);
  if (names.length === 0) throw new Error('--scopes is empty. Name at least one scope, or omit --scopes to grant all.');
  return names as NewClient['scopes'];
}

/** A command that adds a client. Its output has the id and the secret, which cannot be read later. */
function addCommand(tenant: string, scopeList: string): Command {
  const { error } = tenantName.safeParse(tenant);
  if (error) throw new Error(`The tenant ${tenant} is invalid: it ${error.issues[0]?.message}.`);
  const client = makeClient(tenant, readScopes(scopeList));
  return async (pool) => {
    await saveClient(pool, client);
    return `client id:     ${client.clientId}\nclient secret: ${client.clientSecret}\nThe secret is not shown again.\n`;
  };
}

const listCommand: Command = async (pool) => {
  const rows = (await listClients(pool)).map(({ clientId, tenant, scopes: clientScopes, createdAt, revokedAt }) =>
    [
      clientId,
      tenant,
      clientScopes.join(' '),
      `added ${createdAt.toISOString()}`,
      ...(revokedAt ? [`revoked ${revokedAt.toISOString()}`] : []),
    ].join('  '),
  );
  return rows.map((row) => `${row}\n`).join('');
};

function revokeCommand(clientId: string): Command {
  return async (pool, { ACCESS_TOKEN_SECONDS: tokenSeconds }) => {
    if (!(await revokeClient(pool, clientId)))
      throw new Error(`The client ${clientId} does not exist or is already revoked.`);
    const minutes = Math.ceil(tokenSeconds / 60);
    return `${clientId} gets no new access tokens. Its current ones expire within ${minutes} minutes.\n`;
  };
}

/** The command that the arguments name; undefined for --help. Throws Error with the usage text if they name none. */
function readCommand(args: readonly string[]): Command | undefined {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string', default: '*' },
      client: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name, ...extraArguments] = positionals;
  if (values.help) return undefined;
  if (extraArguments.length > 0) throw new Error(usage);
  if (name === 'add' && values.tenant) return addCommand(values.tenant, values.scopes);
  if (name === 'list') return listCommand;
  if (name === 'revoke' && values.client) return revokeCommand(values.client);
  throw new Error(usage);
}

interface CommandContext {
  /** Called only if a command runs, so that --help works without settings. */
  environment: () => NodeJS.ProcessEnv;
  stdout: Pick<NodeJS.WritableStream, 'write'>;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

/** Adds, lists and revokes clients of the API. Returns the exit code. */
export async function runClients(
  args: readonly string[],
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  try {
    const command = readCommand(args);
    stdout.write(command ? await runOnDatabase(command, readApiConfig(environment())) : usage);
    return 0;
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

async function runOnDatabase(command: Command, config: ApiConfig): Promise<string> {
  const logger = createLogger('client', 'error');
  await migrate(config.DATABASE_URL, logger);
  const pool = openPool(config.DATABASE_URL, logger, 1);
  try {
    return await command(pool, config);
  } finally {
    await pool.end();
  }
}
