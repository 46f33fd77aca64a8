import { dataPaths, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { TransactionKeys } from '../../platform/keys/data-keys';
import type { Pool } from '../../platform/postgres/postgres';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract/ids';

/** `dataDir`: the folder with the data of a local stack. */
export function openStackKeys(dataDir: string, pool: Pool): TransactionKeys {
  const secrets = readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;
  return new TransactionKeys(pool, createServiceKeys(secrets.serviceKey, secrets.otherServiceKeys ?? []));
}

/** This converter decrypts what a local stack stores in Temporal. */
export const openStackConverter = (dataDir: string, pool: Pool) =>
  createDataConverter({ transactionKeys: openStackKeys(dataDir, pool), ownerOf: dataOwnerOf, encrypts: true });
