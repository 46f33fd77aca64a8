import type { TransactionState } from '../../domain/transaction/state';
import { seal, unseal } from '../../platform/keys/seal';
import { DataErasedError, type TransactionKeys } from '../../platform/keys/data-keys';

/** Gives the data keys that encrypt records. */
export type RecordKeys = Pick<TransactionKeys, 'get'>;

/** A record as saved in its row. `sealed`: the encrypted state. Null after the transaction was erased. */
export interface SealedState {
  tenant: string;
  id: string;
  version: number;
  sealed: Buffer | null;
}

/**
 * The context with which a state is encrypted. If somebody swaps rows, or puts back an earlier state, the context does not match, and
 * the decryption fails.
 */
const contextOf = ({ tenant, id, version }: Omit<SealedState, 'sealed'>) => ['record', tenant, id, String(version)];

/** Encrypts a state with the data key of its transaction. */
export const sealState = (key: Buffer, state: TransactionState): Buffer =>
  seal(key, Buffer.from(JSON.stringify(state)), contextOf(state));

/** Decrypts a state. Throws DataErasedError if its transaction was erased, and BrokenSealError if somebody has changed the row. */
export async function unsealState(keys: RecordKeys, { sealed, ...row }: SealedState): Promise<TransactionState> {
  const owner = { tenant: row.tenant, owner: row.id };
  if (!sealed) throw new DataErasedError(owner);
  return JSON.parse(unseal(await keys.get(owner), sealed, contextOf(row)).toString());
}
