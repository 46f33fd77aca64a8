import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dataFolder, readJson, writeJson } from './data-folder';
import { StackError } from './stack-error';

interface LocalClient {
  tenant: string;
  clientId: string;
  clientSecret: string;
}

export interface LocalSecrets {
  serviceKey: string;
  twilioAccountSid: string;
  twilioAuthToken: string;
  postgresPassword: string;
  /** Signs webhook events. */
  webhookSecret: string;
  clients: LocalClient[];
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

function createSecrets(): LocalSecrets {
  return {
    serviceKey: randomBytes(32).toString('base64'),
    twilioAccountSid: `AC${hex(16)}`,
    twilioAuthToken: hex(16),
    postgresPassword: hex(16),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    clients: ['local', 'other'].map((tenant) => ({ tenant, clientId: tenant, clientSecret: hex(24) })),
  };
}

/** The secrets of the stack, created at the first start of a data folder. */
export function loadLocalSecrets(dataDir: string): LocalSecrets {
  const file = dataFolder(dataDir).secretsFile;
  const saved = readJson(file) as LocalSecrets | undefined;
  if (saved?.serviceKey) return saved;
  // New secrets would make every stored digest and the database itself unreadable.
  if (existsSync(file))
    throw new StackError(`${file} cannot be read. Restore it, or remove ${dataDir} to start with new data.`);
  const secrets = createSecrets();
  writeJson(file, secrets);
  return secrets;
}
