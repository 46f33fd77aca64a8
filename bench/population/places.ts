import { areaCodes, stateOfPostalCode, statesOfAreaCode } from '../../scoring/evidence/phone-and-address';
import type { Random } from './random';

/** A postal code, with the Brazilian state to which it belongs. */
export interface Place {
  zipCode: string;
  state: string;
  /** Area codes of phones in the state. */
  areaCodes: readonly number[];
}

/**
 * The number of places. A shop of medium size often sees this many postal codes. The number is the same for every size of the population.
 */
const placeCount = 20_000;

/** Returns a list of one item: the place with this index. The list is empty if the postal code belongs to no state. */
function placeAt(index: number): Place[] {
  // 7,919 and 98,999 have no common divisor, so the first five digits of all places differ.
  const zipCode = `${String(1_000 + ((index * 7_919) % 98_999)).padStart(5, '0')}${String((index * 37) % 900).padStart(3, '0')}`;
  const state = stateOfPostalCode(zipCode);
  if (state === undefined) return [];
  return [{ zipCode, state, areaCodes: areaCodes.filter((code) => statesOfAreaCode(code)?.includes(state)) }];
}

const places = Array.from({ length: placeCount }, (_, index) => placeAt(index)).flat();

/** Picks the place where a person lives. Some places are far more common than others. */
export function pickPlace(random: Random): Place {
  const place = places[1 + random.skewedIndex(places.length - 1, 0.5)];
  if (!place) throw new Error('The list of places is empty.');
  return place;
}

/** A delivery address that many persons share. Nobody lives there. */
export const hotPlace = places[0] as Place;
