import { join, resolve } from 'node:path';
import { runClients } from '../api/clients/clients.cli';
import { localEnvironment } from './stack/local-environment';

/** The checkout, seen from where this is built. */
const root = join(__dirname, '..', '..');

/** Without a database of one's own, that of the local stack. */
function environment(): NodeJS.ProcessEnv {
  if (process.env['DATABASE_URL']) return process.env;
  return { ...process.env, ...localEnvironment(resolve(root, process.env['DATA_DIR'] || '.data')) };
}

void runClients(process.argv.slice(2), { environment, stdout: process.stdout, stderr: process.stderr }).then((code) => {
  process.exitCode = code;
});
