import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { statesOfAreaCode } from '../tables/area-codes';
import { stateOfPostalCode } from '../tables/postal-codes';

type Line = NonNullable<Evidence['phone']>['line'];

const brazilCountryCode = 55;

/** The type of line. Mobile numbers have nine digits and start with 9. Landline numbers have eight digits and start with 2 to 5. */
function lineOf(number: number): Line {
  if (/^9\d{8}$/.test(String(number))) return 'mobile';
  return /^[2-5]\d{7}$/.test(String(number)) ? 'landline' : 'unknown';
}

/**
 * Finds evidence in a Brazilian phone number. Undefined for a number of another country, or without area code. If two states use the area
 * code, `state` is the state of the postal code if it is one of the two, and the main state if not.
 */
export function findPhone({ phone, address }: TransactionInput): Evidence['phone'] {
  if (phone?.countryCode !== brazilCountryCode || phone.areaCode === undefined) return undefined;
  const states = statesOfAreaCode(phone.areaCode);
  const line = lineOf(phone.number);
  if (!states?.[0]) return { allocated: false, line };
  const homeState = stateOfPostalCode(address?.zipCode ?? '');
  return { allocated: true, line, state: homeState && states.includes(homeState) ? homeState : states[0] };
}
