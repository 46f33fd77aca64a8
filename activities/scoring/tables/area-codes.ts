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
