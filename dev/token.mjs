import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runCommand } from './install/command.mjs';

const usage = `Usage: npm run -s token -- [--tenant local|other] [--scopes "transaction:read flows:read"]
Prints an access token for the running local stack (npm start), which has the tenants "local" and "other". Without
--tenant, the token is for "local". Without --scopes, the token has all scopes of the client of the tenant.
Use the same DATA_DIR as for npm start (default: .data).`;

function readArguments() {
  try {
    return parseArgs({ options: { tenant: { type: 'string' }, scopes: { type: 'string' } } }).values;
  } catch (error) {
    throw new CommandError(`${error.message}\n${usage}`);
  }
}

await runCommand(async () => {
  const { tenant, scopes } = readArguments();
  const program = join(root, 'dist', 'dev', 'stack', 'request-token.js');
  if (!existsSync(program)) throw new CommandError('There is no local stack. Run `npm start` first.');
  const { requestToken } = createRequire(import.meta.url)(program);
  const { DATA_DIR, PORT } = process.env;
  const place = { dataDir: resolve(root, DATA_DIR || '.data'), port: PORT ? Number(PORT) : undefined };
  process.stdout.write(`${await requestToken({ ...place, tenant, scopes: scopes?.trim().split(/\s+/) })}\n`);
}, usage);
