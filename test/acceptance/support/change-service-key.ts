import { randomBytes } from 'node:crypto';
import { dataPaths, readJson, writeJson } from '../../../dev/stack/data-folder';
import type { LocalSecrets } from '../../../dev/stack/local-secrets';

const readSecrets = (dataDir: string) => readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;

/** The stack must be stopped. The stack can still decrypt with the old key. */
export function changeServiceKey(dataDir: string): void {
  const secrets = readSecrets(dataDir);
  const serviceKey = randomBytes(32).toString('base64');
  writeJson(dataPaths(dataDir).secretsFile, { ...secrets, serviceKey, otherServiceKeys: [secrets.serviceKey] });
}

/** The stack must be stopped. */
export function removeOldServiceKeys(dataDir: string): void {
  const { otherServiceKeys: _, ...secrets } = readSecrets(dataDir);
  writeJson(dataPaths(dataDir).secretsFile, secrets);
}
