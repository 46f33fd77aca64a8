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
  /** Signs events for callers. */
  webhookSecret: string;
  clients: LocalClient[];
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

function makeSecrets(): LocalSecrets {
  return {
    serviceKey: randomBytes(32).toString('base64'),
    twilioAccountSid: `AC${hex(16)}`,
    twilioAuthToken: hex(16),
    postgresPassword: hex(16),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    clients: ['local', 'other'].map((tenant) => ({ tenant, clientId: tenant, clientSecret: hex(24) })),
  };
}

/** The secrets of the stack on this data folder: made at the first start, the same ever after. */
export function loadLocalSecrets(dataDir: string): LocalSecrets {
  const file = dataFolder(dataDir).secretsFile;
  const kept = readJson(file) as LocalSecrets | undefined;
  if (kept?.serviceKey) return kept;
  // New secrets would make every stored digest and the database itself unreadable.
  if (existsSync(file)) throw new StackError(`${file} cannot be read: restore it, or remove ${dataDir} to start anew.`);
  const secrets = makeSecrets();
  writeJson(file, secrets);
  return secrets;
}
