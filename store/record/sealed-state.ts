import type { TransactionState } from '../../domain/state';
import { seal, unseal } from '../../platform/keys/seal';
import { DataErasedError } from '../../platform/keys/data-keys';
import type { TransactionKeys } from '../../platform/keys/transaction-keys';

/** The keys of records. */
export type RecordKeys = Pick<TransactionKeys, 'get'>;

/** A record as in its row. `sealed` is null after the erasure of the transaction. */
export interface SealedState {
  tenant: string;
  id: string;
  version: number;
  sealed: Buffer | null;
}

/**
 * The context of a seal. If rows are swapped, or an earlier state is put back, the context does not match, and nothing is
 * decrypted.
 */
const contextOf = ({ tenant, id, version }: Omit<SealedState, 'sealed'>) => ['record', tenant, id, String(version)];

/** Encrypts a state with the data key of its transaction. Throws DataErasedError if there is no key. */
export async function sealState(keys: RecordKeys, state: TransactionState): Promise<Buffer> {
  const key = await keys.get({ tenant: state.tenant, owner: state.id });
  return seal(key, Buffer.from(JSON.stringify(state)), contextOf(state));
}

/** Decrypts a state. Throws DataErasedError after the erasure of its transaction, and BrokenSealError for a changed row. */
export async function unsealState(keys: RecordKeys, { sealed, ...row }: SealedState): Promise<TransactionState> {
  const owner = { tenant: row.tenant, owner: row.id };
  if (!sealed) throw new DataErasedError(owner);
  return JSON.parse(unseal(await keys.get(owner), sealed, contextOf(row)).toString());
}
