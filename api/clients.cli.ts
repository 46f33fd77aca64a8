import { parseArgs } from 'node:util';
import { readApiConfig } from '../platform/config';
import { createLogger } from '../platform/logger';
import { migrate, openPool } from '../platform/postgres';
import { makeClient, saveClient } from './auth/clients';
import { scopes } from './auth/scopes';

const usage = `Usage: npm run client -- add --tenant <tenant> [--scopes "${scopes.slice(0, 2).join(' ')} …"]`;

/** Adds a client and prints its id and secret: the only time the secret can be read. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tenant: { type: 'string' }, scopes: { type: 'string', default: '*' } },
  });
  if (positionals[0] !== 'add' || !values.tenant) throw new Error(usage);
  const granted = values.scopes.split(/[\s,]+/).filter(Boolean) as Parameters<typeof makeClient>[1];
  const client = makeClient(values.tenant, granted);

  const config = readApiConfig();
  const logger = createLogger('client', 'error');
  await migrate(config.DATABASE_URL, logger);
  const pool = openPool(config.DATABASE_URL, logger, 1);
  await saveClient(pool, client);
  await pool.end();
  process.stdout.write(
    `client id:     ${client.clientId}\nclient secret: ${client.clientSecret}\nThe secret is not shown again.\n`,
  );
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
