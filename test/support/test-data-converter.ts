import { createHash } from 'node:crypto';
import type { DataOwner } from '../../platform/keys/data-keys';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract';

/** Keys of transactions that need no database. Each transaction has its own key, made from its tenant and its id. */
export const testTransactionKeys = {
  get: async ({ tenant, owner }: DataOwner) => createHash('sha256').update(`${tenant}/${owner}`).digest(),
  create: async () => {},
};

/** A data converter that encrypts payloads as the API and the worker do. */
export const testDataConverter = createDataConverter({
  transactionKeys: testTransactionKeys,
  ownerOf: dataOwnerOf,
  encrypts: true,
});
