import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { stateOfPostalCode, states } from '../tables/postal-codes';

/** The state of a postal code, and whether it matches the state of the address, if that is one of the 27. */
export function findPostalCode({ address }: TransactionInput): Evidence['postalCode'] {
  if (address?.zipCode === undefined) return undefined;
  const state = stateOfPostalCode(address.zipCode);
  if (!state) return {};
  const stated = address.state?.trim().toUpperCase();
  return stated && states.includes(stated) ? { state, matchesStatedState: stated === state } : { state };
}
