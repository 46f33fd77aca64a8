import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from './install/command-error.mjs';
import { root } from './install/root.mjs';

const usage = `Usage: npm run -s token -- [--tenant local|other] [--scopes "transaction:read flows:read"]
Prints an access token for the running local stack (npm start), which has the tenants "local" and "other". Without
--tenant, the token is for "local". Without --scopes, the token has all scopes of the client of the tenant.
Use the same DATA_DIR as for npm start (default: .data).`;

const options = { tenant: { type: 'string' }, scopes: { type: 'string' }, help: { type: 'boolean', short: 'h' } };

function readArguments() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new CommandError(`${error.message}\n${usage}`);
  }
}

await runCommand(async () => {
  const { tenant, scopes, help } = readArguments();
  if (help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const program = join(root, 'dist', 'dev', 'stack', 'request-token.js');
  if (!existsSync(program)) throw new CommandError('There is no local stack. Run `npm start` first.');
  const { requestToken } = createRequire(import.meta.url)(program);
  const request = {
    dataDir: resolve(root, process.env.DATA_DIR || '.data'),
    port: process.env.PORT ? Number(process.env.PORT) : undefined,
    tenant,
    scopes: scopes?.trim().split(/\s+/),
  };
  const token = await requestToken(request).catch((error) => {
    throw new CommandError(error.message);
  });
  process.stdout.write(`${token}\n`);
});
