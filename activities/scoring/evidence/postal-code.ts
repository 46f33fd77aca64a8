import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { stateOfPostalCode, states } from '../tables/postal-codes';

/** The state a postal code is in, and whether the address says so too. A state that is none of the 27 is not compared. */
export function findPostalCode({ address }: TransactionInput): Evidence['postalCode'] {
  if (address?.zipCode === undefined) return undefined;
  const state = stateOfPostalCode(address.zipCode);
  if (!state) return {};
  const stated = address.state?.trim().toUpperCase();
  return stated && states.includes(stated) ? { state, matchesStatedState: stated === state } : { state };
}
