import { join, resolve } from 'node:path';
import { dataPaths, readJson } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import { postgresAddress } from './settings';
import { isRunning } from './process-identity';
import type { RunningStack } from './running-stack';
import { StackError } from './stack-error';

/** Environment variables for the database of the running local stack. Throws StackError when none is running. */
export function localEnvironment(dataDir: string): Record<string, string> {
  const { secretsFile, runningFile } = dataPaths(dataDir);
  const runningStack = readJson(runningFile) as RunningStack | undefined;
  const secrets = readJson(secretsFile) as LocalSecrets | undefined;
  if (!runningStack || !secrets || !isRunning(runningStack.supervisor))
    throw new StackError(
      `No local stack is running on ${dataDir}. Run \`npm start\` first. If it runs with another DATA_DIR, set the same one for this command. Or set DATABASE_URL and the other settings of the command (docs/operators.md).`,
    );
  return {
    DATABASE_URL: postgresAddress(runningStack.ports.postgres, secrets.postgresPassword),
    SERVICE_KEY: secrets.serviceKey,
    OTHER_SERVICE_KEYS: (secrets.otherServiceKeys ?? []).join(','),
  };
}

/** The repository root, relative to dist/dev/stack. */
const root = join(__dirname, '..', '..', '..');

/**
 * The environment variables for a command: the variables of this process. If DATABASE_URL is not set, `localEnvironment` adds the variables
 * for the database of the running local stack.
 */
export function commandEnvironment(): NodeJS.ProcessEnv {
  if (process.env['DATABASE_URL']) return process.env;
  return { ...process.env, ...localEnvironment(resolve(root, process.env['DATA_DIR'] || '.data')) };
}
