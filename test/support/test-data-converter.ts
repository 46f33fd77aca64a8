import { createHash } from 'node:crypto';
import type { DataOwner } from '../../platform/keys/data-keys';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract';

/** A key for each transaction, without a database. */
export const testTransactionKeys = {
  get: async ({ tenant, owner }: DataOwner) => createHash('sha256').update(`${tenant}/${owner}`).digest(),
  create: async () => {},
};

/** Encrypts payloads as API and worker do. */
export const testDataConverter = createDataConverter({
  transactionKeys: testTransactionKeys,
  ownerOf: dataOwnerOf,
  encrypts: true,
});
