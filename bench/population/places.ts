import { areaCodes, statesOfAreaCode } from '../../activities/scoring/tables/area-codes';
import { stateOfPostalCode } from '../../activities/scoring/tables/postal-codes';
import type { Random } from './random';

export interface Place {
  zipCode: string;
  state: string;
  /** Area codes of phones that fit. */
  areaCodes: readonly number[];
}

/** As many postal codes as a middling country-wide shop sees often; how many people use one grows with the graph. */
const placeCount = 20_000;

function placeAt(index: number): Place[] {
  // A step without a common divisor visits every prefix once, in no visible order.
  const zipCode = `${String(1_000 + ((index * 7_919) % 98_999)).padStart(5, '0')}${String((index * 37) % 900).padStart(3, '0')}`;
  const state = stateOfPostalCode(zipCode);
  if (state === undefined) return [];
  return [{ zipCode, state, areaCodes: areaCodes.filter((code) => statesOfAreaCode(code)?.includes(state)) }];
}

const places = Array.from({ length: placeCount }, (_, index) => placeAt(index)).flat();

/** A place where somebody lives; some are far more crowded than others. */
export function placeOf(random: Random): Place {
  const place = places[1 + random.rank(places.length - 1, 0.5)];
  if (!place) throw new Error('There is no such place.');
  return place;
}

/** Where nobody lives and many have parcels sent to. */
export const hotPlace = places[0] as Place;
