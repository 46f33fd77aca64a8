import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from '../postgres';
import { addWrappedKey, type DataOwner, findWrappedKey, type KeyPurpose } from './data-keys.sql';
import { findDataState } from '../erased.sql';
import type { ServiceKeys } from './service-keys';

export type { DataOwner, KeyPurpose };

const keyBytes = 32;

/** A transaction has no data key: it was erased, or it never existed. */
export class DataErasedError extends Error {
  override name = 'DataErasedError';

  constructor({ tenant, owner }: DataOwner) {
    super(`The transaction ${owner} of ${tenant} has no data key: it was erased or never existed.`);
  }
}

/** A transaction has neither a data key nor a record: its id is wrong, or its creation has not ended. */
export class UnknownDataError extends DataErasedError {
  override name = 'UnknownDataError';
}

/**
 * A transaction has a record, but no data key. It was not erased: the table `data_keys` is older than the other tables, for example after the
 * restore of a backup. With a newer backup of `data_keys`, the data can be read again.
 */
export class DataKeyMissingError extends Error {
  override name = 'DataKeyMissingError';

  constructor({ tenant, owner }: DataOwner) {
    super(
      `The data key of the transaction ${owner} of ${tenant} is missing, but the transaction was not erased. ` +
        'Restore a newer backup of the data keys.',
    );
  }
}

/** The error for a transaction without a data key: DataErasedError, UnknownDataError or DataKeyMissingError. */
export async function missingKeyError(pool: Pool, owner: DataOwner): Promise<Error> {
  const state = await findDataState(pool, owner);
  if (state === 'saved') return new DataKeyMissingError(owner);
  return state === 'erased' ? new DataErasedError(owner) : new UnknownDataError(owner);
}

/** The context with which a data key is wrapped. Unwrapping with another context fails, for example if somebody swapped rows. */
export const dataKeyContext = ({ tenant, owner }: DataOwner, purpose: KeyPurpose): string[] => [
  'data-key',
  purpose,
  tenant,
  owner,
];

/** The data key of an owner. Undefined if the owner never had a key, or the key was destroyed. */
export async function findDataKey(
  database: Pool | PoolClient,
  serviceKeys: ServiceKeys,
  owner: DataOwner,
  purpose: KeyPurpose,
): Promise<Buffer | undefined> {
  const wrappedKey = await findWrappedKey(database, { ...owner, purpose });
  return wrappedKey && serviceKeys.unwrap(wrappedKey, dataKeyContext(owner, purpose));
}

/** Makes a random data key. Returns it also encrypted with a service key, as the database stores it. */
export async function generateDataKey(serviceKeys: ServiceKeys, owner: DataOwner, purpose: KeyPurpose) {
  const key = randomBytes(keyBytes);
  return { key, wrappedKey: await serviceKeys.wrap(key, dataKeyContext(owner, purpose)) };
}

/**
 * The data key of an owner. If there is none, creates a random key, and saves it encrypted with a service key. Throws DataErasedError if the
 * owner is an erased transaction.
 */
export async function findOrCreateDataKey(
  database: Pool | PoolClient,
  serviceKeys: ServiceKeys,
  owner: DataOwner,
  purpose: KeyPurpose,
): Promise<Buffer> {
  const { key, wrappedKey } = await generateDataKey(serviceKeys, owner, purpose);
  if (await addWrappedKey(database, { ...owner, purpose, ...wrappedKey })) return key;
  const existingKey = await findDataKey(database, serviceKeys, owner, purpose);
  if (!existingKey) throw new DataErasedError(owner);
  return existingKey;
}
