import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { stateOfPostalCode, states } from '../tables/postal-codes';

/** Finds the state of the postal code. If the address names one of the 27 states, also finds whether it names the same state. */
export function findPostalCode({ address }: TransactionInput): Evidence['postalCode'] {
  if (address?.zipCode === undefined) return undefined;
  const state = stateOfPostalCode(address.zipCode);
  if (!state) return {};
  const statedState = address.state?.trim().toUpperCase();
  return statedState && states.includes(statedState) ? { state, matchesStatedState: statedState === state } : { state };
}
