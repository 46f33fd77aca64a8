import { newState, type TransactionState } from '../../domain/transactions/state';
import { findOrCreateDataKey, type TransactionKeys } from '../../platform/keys/data-keys';
import type { DataOwner } from '../../platform/keys/data-keys.sql';
import type { Pool } from '../../platform/postgres/postgres';
import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import { createRecord, saveState } from '../../store/transactions/transactions.sql';
import { testKeys } from './build';

/** Creates a transaction with its data key, and saves `state` as its record. It is found by no data but `documentHash`. */
export async function createWithState(
  pool: Pool,
  keys: TransactionKeys,
  state: TransactionState,
  documentHash?: string,
): Promise<void> {
  const { tenant, id, input, createdAt } = state;
  const observation = {
    ...observationOf(testKeys, state, circleOfTenant(tenant)),
    values: documentHash === undefined ? {} : { Document: documentHash },
  };
  await createRecord(pool, keys, newState({ tenant, id, input, createdAt }), observation);
  if (state.version > 0) await saveState(pool, keys, state, 0);
}

/** Adds a data key without a record, as after the restore of an older backup of the records. */
export const addKey = (pool: Pool, owner: DataOwner): Promise<Buffer> =>
  findOrCreateDataKey(pool, testKeys.serviceKeys, owner, 'transaction');
