import { randomBytes } from 'node:crypto';
import { BrokenSealError } from '../../../platform/keys/seal';
import { DataErasedError } from '../../../platform/keys/data-keys';
import { type SealedState, sealState, unsealState } from '../../../store/transactions/transactions.sql';
import { buildState } from '../../support/build';

const state = { ...buildState(), version: 7 };
const row = { tenant: state.tenant, id: state.id, version: state.version };
// All transactions here have the same data key, so only a wrong row can make a decryption fail.
const key = randomBytes(32);
const keys = { get: async () => key };
/** Decrypts the state in its row. `changes`: the values that differ in this row. */
const unseal = async (changes: Partial<SealedState>) =>
  unsealState(keys, { ...row, sealed: sealState(key, state), ...changes });

test('a record can be decrypted in its own row', async () => {
  expect(await unseal({})).toEqual(state);
});

test.each<[string, Partial<SealedState>]>([
  ['of another transaction', { id: buildState().id }],
  ['of another tenant', { tenant: 'other' }],
  ['of an earlier version', { version: 6 }],
])('a record that was moved to the row %s cannot be decrypted', async (_, changes) => {
  await expect(unseal(changes)).rejects.toThrow(BrokenSealError);
});

test('an erased record has no state', async () => {
  await expect(unseal({ sealed: null })).rejects.toThrow(DataErasedError);
});
