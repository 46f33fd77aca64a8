import { dataPaths, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { TransactionKeys } from '../../platform/keys/transaction-keys';
import type { Pool } from '../../platform/postgres';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract';

/** Opens the keys of the transactions of a local stack. `dataDir`: the folder with the data of the stack. */
export function openStackKeys(dataDir: string, pool: Pool): TransactionKeys {
  const secrets = readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;
  return new TransactionKeys(pool, createServiceKeys(secrets.serviceKey, secrets.otherServiceKeys ?? []));
}

/** A data converter that decrypts what a local stack stores in Temporal. */
export const openStackConverter = (dataDir: string, pool: Pool) =>
  createDataConverter({ transactionKeys: openStackKeys(dataDir, pool), ownerOf: dataOwnerOf, encrypts: true });
