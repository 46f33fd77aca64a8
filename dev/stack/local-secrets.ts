import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataPaths, readJson, StackError, writeJson } from './data-folder';
import { postgresAddress, type StackPorts } from './settings';

/** The content of `secrets.json` in the data folder. */
export interface LocalSecrets {
  serviceKey: string;
  /** Earlier service keys, if the service key was changed. */
  otherServiceKeys?: string[];
  twilioAccountSid: string;
  twilioAuthToken: string;
  postgresPassword: string;
  /** The clients of the local tenants, for callers of the local API. */
  clients: { tenant: string; clientId: string; clientSecret: string }[];
}

/** The content of `run/stack.json`: the stack that runs on a data folder. */
export interface RunningStack {
  pid: number;
  ports: StackPorts;
}

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');

function createSecrets(): LocalSecrets {
  return {
    serviceKey: randomBytes(32).toString('base64'),
    twilioAccountSid: `AC${randomHex(16)}`,
    twilioAuthToken: randomHex(16),
    postgresPassword: randomHex(16),
    clients: ['local', 'other'].map((tenant) => ({ tenant, clientId: tenant, clientSecret: randomHex(24) })),
  };
}

/** Reads the secrets of a data folder, or creates them at its first start. Throws StackError when they are unreadable. */
export function loadLocalSecrets(dataDir: string): LocalSecrets {
  const file = dataPaths(dataDir).secretsFile;
  const savedSecrets = readJson(file) as LocalSecrets | undefined;
  if (savedSecrets?.serviceKey) return savedSecrets;
  // New secrets would not fit the existing data: the service key could not decrypt it, and the password of the database would be wrong.
  if (existsSync(file))
    throw new StackError(`${file} cannot be read. Restore it, or remove ${dataDir} to start with new data.`);
  const secrets = createSecrets();
  writeJson(file, secrets);
  return secrets;
}

/** The variables of each process that reads the data of the service. */
export const secretVariables = (ports: StackPorts, secrets: LocalSecrets) => ({
  DATABASE_URL: postgresAddress(ports.postgres, secrets.postgresPassword),
  SERVICE_KEY: secrets.serviceKey,
  OTHER_SERVICE_KEYS: (secrets.otherServiceKeys ?? []).join(','),
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The running local stack on this data folder. Throws StackError when none is running. */
export function openRunningStack(dataDir: string): { ports: StackPorts; secrets: LocalSecrets } {
  const { secretsFile, runningFile } = dataPaths(dataDir);
  const stack = readJson(runningFile) as RunningStack | undefined;
  const secrets = readJson(secretsFile) as LocalSecrets | undefined;
  if (stack && secrets && isRunning(stack.pid)) return { ports: stack.ports, secrets };
  throw new StackError(
    `No local stack is running on ${dataDir}. Run \`npm start\` first. If it runs with another DATA_DIR, set the same one for this command. Or set DATABASE_URL and the other settings of the command (docs/operators.md).`,
  );
}

/** Environment variables for the database and the Temporal server of the running local stack. Throws StackError when none is running. */
export function localEnvironment(dataDir: string): Record<string, string> {
  const { ports, secrets } = openRunningStack(dataDir);
  return { ...secretVariables(ports, secrets), TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}` };
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
