/**
 * How many letters may differ, as a share of the length of the longer name. If both names begin with the same letter, such as `coed` and
 * `code`, more letters may differ.
 */
const allowedDifference = { otherwise: 0.25, sameFirstLetter: 0.5 } as const;

/** Longer names are not compared: the time of a comparison grows with the product of the two lengths. */
const comparedLengthMax = 60;

/** The edit distance: how many letters to add, remove or replace until both texts are equal. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let index = 0; index < left.length; index += 1) {
    const previousRow = row;
    row = [index + 1];
    for (let column = 0; column < right.length; column += 1) {
      const substituted = (previousRow[column] ?? 0) + (left[index] === right[column] ? 0 : 1);
      row.push(Math.min(substituted, (previousRow[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}

/**
 * The candidate that is closest to a name, without regard to case. If several candidates are equally close, the first one. Undefined
 * if none is close enough.
 */
export function closestMatch(name: string, candidates: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase();
  let closest: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const lowerCandidate = candidate.toLowerCase();
    const lengthMax = Math.max(lowerName.length, lowerCandidate.length);
    if (lengthMax > comparedLengthMax) continue;
    const edits = distance(lowerName, lowerCandidate);
    const allowedShare =
      lowerName !== '' && lowerName[0] === lowerCandidate[0]
        ? allowedDifference.sameFirstLetter
        : allowedDifference.otherwise;
    if (edits <= allowedShare * lengthMax && edits < (closest?.edits ?? Infinity)) closest = { candidate, edits };
  }
  return closest?.candidate;
}
