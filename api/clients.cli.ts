import { parseArgs } from 'node:util';
import { readApiConfig } from '../platform/config';
import { createLogger } from '../platform/logger';
import { migrate, openPool, type Pool } from '../platform/postgres';
import { listClients, makeClient, type NewClient, revokeClient, saveClient } from './auth/clients';
import { scopes } from './auth/scopes';

const usage = `Usage:
  npm run client -- add --tenant <tenant> [--scopes "${scopes.slice(0, 2).join(' ')} …"]
  npm run client -- list
  npm run client -- revoke --client <client id>`;

type Command = (pool: Pool) => Promise<string>;

/** Gives the id and the secret of a new client: the only time that the secret can be read. */
function add(tenant: string, granted: string): Command {
  const client = makeClient(tenant, granted.split(/[\s,]+/).filter(Boolean) as NewClient['scopes']);
  return async (pool) => {
    await saveClient(pool, client);
    return `client id:     ${client.clientId}\nclient secret: ${client.clientSecret}\nThe secret is not shown again.\n`;
  };
}

const list: Command = async (pool) => {
  const rows = (await listClients(pool)).map(({ clientId, tenant, scopes: granted, createdAt, revokedAt }) =>
    [
      clientId,
      tenant,
      granted.join(' '),
      `added ${createdAt.toISOString()}`,
      ...(revokedAt ? [`revoked ${revokedAt.toISOString()}`] : []),
    ].join('  '),
  );
  return rows.map((row) => `${row}\n`).join('');
};

function revoke(clientId: string, tokenSeconds: number): Command {
  return async (pool) => {
    if (!(await revokeClient(pool, clientId))) throw new Error(`There is no client ${clientId} that could be revoked.`);
    const minutes = Math.ceil(tokenSeconds / 60);
    return `${clientId} gets no more tokens. Those that it has end within ${minutes} minutes.\n`;
  };
}

function readCommand(tokenSeconds: number): Command {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tenant: { type: 'string' }, scopes: { type: 'string', default: '*' }, client: { type: 'string' } },
  });
  const [name, ...rest] = positionals;
  if (rest.length > 0) throw new Error(usage);
  if (name === 'add' && values.tenant) return add(values.tenant, values.scopes);
  if (name === 'list') return list;
  if (name === 'revoke' && values.client) return revoke(values.client, tokenSeconds);
  throw new Error(usage);
}

/** Adds, lists and revokes the clients that may call the API. */
async function main(): Promise<void> {
  const config = readApiConfig();
  const command = readCommand(config.ACCESS_TOKEN_SECONDS);
  const logger = createLogger('client', 'error');
  await migrate(config.DATABASE_URL, logger);
  const pool = openPool(config.DATABASE_URL, logger, 1);
  try {
    process.stdout.write(await command(pool));
  } finally {
    await pool.end();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
