import { distance } from 'fastest-levenshtein';

/** Names as they are offered to somebody who wrote one that there is not. */
export interface Offer {
  /** All of them: the nearest first when one was hardly missed, and in their own order when none was. */
  names: readonly string[];
  /** The one that was hardly missed. Absent when none is that near: naming one for the other would mislead. */
  meant?: string;
}

/** Of a name, this share of letters may differ; and more where it begins alike, as `coed` and `code` do. */
const share = { otherwise: 0.25, begunAlike: 0.5 } as const;

function isNear(given: string, name: string, far: number): boolean {
  const most = given !== '' && given[0] === name[0] ? share.begunAlike : share.otherwise;
  return far <= most * Math.max(given.length, name.length);
}

/** Finds what was meant by a name that there is not, whatever the letter case. Of equals the first comes first. */
export function nearest(written: string, names: readonly string[]): Offer {
  const given = written.toLowerCase();
  const told = names
    .map((name) => ({ name, far: distance(given, name.toLowerCase()) }))
    .toSorted((one, other) => one.far - other.far);
  const best = told.find(({ name, far }) => isNear(given, name.toLowerCase(), far));
  if (!best) return { names };
  const others = told.filter((one) => one !== best);
  return { names: [best, ...others].map(({ name }) => name), meant: best.name };
}
