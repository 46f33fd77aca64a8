import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dataPaths, readJson, writeJson } from './data-folder';
import { StackError } from './stack-error';

/** A client of a local tenant, for callers of the local API. */
interface LocalClient {
  tenant: string;
  clientId: string;
  clientSecret: string;
}

/** The content of `secrets.json` in the data folder. */
export interface LocalSecrets {
  serviceKey: string;
  /** Earlier service keys, if the service key was changed. */
  otherServiceKeys?: string[];
  twilioAccountSid: string;
  twilioAuthToken: string;
  postgresPassword: string;
  clients: LocalClient[];
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
