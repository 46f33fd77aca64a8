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
