import { createHash } from 'node:crypto';
import type { DataOwner } from '../../platform/keys/data-keys';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract/ids';

/** These keys need no database: each key is made from the tenant and the id of its transaction. */
export const testTransactionKeys = {
  get: async ({ tenant, owner }: DataOwner) => createHash('sha256').update(`${tenant}/${owner}`).digest(),
  generate: async (owner: DataOwner) => ({
    key: await testTransactionKeys.get(owner),
    wrappedKey: { keyId: 'test', wrapped: Buffer.from('test') },
  }),
  remember: () => {},
};

/** This converter encrypts payloads as the API and the worker do. */
export const testDataConverter = createDataConverter({
  transactionKeys: testTransactionKeys,
  ownerOf: dataOwnerOf,
  encrypts: true,
});
