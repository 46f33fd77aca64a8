import { join, resolve } from 'node:path';
import { runKeys } from '../platform/keys/keys.cli';
import { localEnvironment } from './stack/local-environment';

/** The repository root, relative to dist/dev. */
const root = join(__dirname, '..', '..');

/** The environment of this process. Without DATABASE_URL, adds the variables of the local stack. */
function environment(): NodeJS.ProcessEnv {
  if (process.env['DATABASE_URL']) return process.env;
  return { ...process.env, ...localEnvironment(resolve(root, process.env['DATA_DIR'] || '.data')) };
}

void runKeys(process.argv.slice(2), { environment, stdout: process.stdout, stderr: process.stderr }).then((code) => {
  process.exitCode = code;
});
