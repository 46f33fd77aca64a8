import type { Evidence } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transactions/input';

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

/** Finds the state of the postal code. If the address names one of the 27 states, also finds whether it names the same state. */
export function findPostalCode({ address }: TransactionInput): Evidence['postalCode'] {
  if (address?.zipCode === undefined) return undefined;
  const state = stateOfPostalCode(address.zipCode);
  if (!state) return {};
  const statedState = address.state?.trim().toUpperCase();
  return statedState && states.includes(statedState) ? { state, matchesStatedState: statedState === state } : { state };
}

/** The 67 area codes in use, by state (numbering plan of Anatel). */
const codesByState: Record<string, readonly number[]> = {
  SP: [11, 12, 13, 14, 15, 16, 17, 18, 19],
  RJ: [21, 22, 24],
  ES: [27, 28],
  MG: [31, 32, 33, 34, 35, 37, 38],
  PR: [41, 42, 43, 44, 45, 46],
  SC: [47, 48, 49],
  RS: [51, 53, 54, 55],
  DF: [61],
  GO: [62, 64],
  TO: [63],
  MT: [65, 66],
  MS: [67],
  AC: [68],
  RO: [69],
  BA: [71, 73, 74, 75, 77],
  SE: [79],
  PE: [81, 87],
  AL: [82],
  PB: [83],
  RN: [84],
  CE: [85, 88],
  PI: [86, 89],
  PA: [91, 93, 94],
  AM: [92, 97],
  RR: [95],
  AP: [96],
  MA: [98, 99],
};

/** More states of an area code. Towns of the state Goiás (GO) near Brasília have the area code of Brasília (61). */
const additionalStates: Record<number, readonly string[]> = { 61: ['GO'] };

const statesByCode = new Map(
  Object.entries(codesByState).flatMap(([state, codes]) =>
    codes.map((code): [number, string[]] => [code, [state, ...(additionalStates[code] ?? [])]]),
  ),
);

/** All area codes in use. */
export const areaCodes: readonly number[] = [...statesByCode.keys()];

/** The states of an area code, the main one first; undefined if the code is not in use. */
export function statesOfAreaCode(areaCode: number): readonly string[] | undefined {
  return statesByCode.get(areaCode);
}

/** Ranges of postal codes by their first five digits, with their state. Postal codes outside of these ranges are not in use. */
const ranges: readonly (readonly [from: number, to: number, state: string])[] = [
  [1_000, 19_999, 'SP'],
  [20_000, 28_999, 'RJ'],
  [29_000, 29_999, 'ES'],
  [30_000, 39_999, 'MG'],
  [40_000, 48_999, 'BA'],
  [49_000, 49_999, 'SE'],
  [50_000, 56_999, 'PE'],
  [57_000, 57_999, 'AL'],
  [58_000, 58_999, 'PB'],
  [59_000, 59_999, 'RN'],
  [60_000, 63_999, 'CE'],
  [64_000, 64_999, 'PI'],
  [65_000, 65_999, 'MA'],
  [66_000, 68_899, 'PA'],
  [68_900, 68_999, 'AP'],
  [69_000, 69_299, 'AM'],
  [69_300, 69_399, 'RR'],
  [69_400, 69_899, 'AM'],
  [69_900, 69_999, 'AC'],
  [70_000, 72_799, 'DF'],
  [72_800, 72_999, 'GO'],
  [73_000, 73_699, 'DF'],
  [73_700, 76_799, 'GO'],
  [76_800, 76_999, 'RO'],
  [77_000, 77_999, 'TO'],
  [78_000, 78_899, 'MT'],
  [79_000, 79_999, 'MS'],
  [80_000, 87_999, 'PR'],
  [88_000, 89_999, 'SC'],
  [90_000, 99_999, 'RS'],
];

/** The 26 states of Brazil and the federal district. */
export const states: readonly string[] = [...new Set(ranges.map(([, , state]) => state))];

/** The state of a postal code of eight digits, with or without a hyphen; undefined if it is invalid or not in use. */
export function stateOfPostalCode(postalCode: string): string | undefined {
  const digits = postalCode.replace(/[\s.-]/g, '');
  if (!/^\d{8}$/.test(digits)) return undefined;
  const prefix = Number(digits.slice(0, 5));
  return ranges.find(([from, to]) => prefix >= from && prefix <= to)?.[2];
}
