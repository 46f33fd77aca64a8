import { jaroWinkler } from './jaro-winkler';
import { namesWithoutParticles } from './person-names';

/**
 * Unrelated words have about this similarity. Up to this similarity, the likeness is 0. For a higher similarity, the likeness grows, up to
 * 1 for equal words.
 */
const unrelatedSimilarity = 0.6;

/** The likeness of an initial and a name with this first letter. It is below 1, because an initial may stand for several names. */
const initialLikeness = 0.8;

/** The weight of a word that only one of the two names has. It is low, because people often leave out some of their names. */
const missingWeight = 0.15;

/**
 * A name of one word counts as two words if it is compared with a longer name. Many people share one first name, so an equal first name
 * alone must not give a high likeness.
 */
const wordsMin = 2;

/**
 * Likeness of two names of persons, from 0 to 1. The order of the two names does not matter. Letter case, accents, particles (such as `da`
 * and `de`) and the order of words do not count. An initial counts partly. Undefined if one of the names has no letters.
 */
export function nameLikeness(left: string, right: string): number | undefined {
  const [a, b] = [sortedNames(left), sortedNames(right)];
  const [shorterCount, longerCount] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (shorterCount === 0) return undefined;
  const expectedCount = Math.min(longerCount, Math.max(shorterCount, wordsMin));
  return round(sumBestPairs(a, b) / (expectedCount + missingWeight * (longerCount - expectedCount)));
}

/**
 * The words of a name, sorted. After sorting, the order of the words in the name has no effect, even if several pairs of words are equally
 * similar.
 */
const sortedNames = (name: string) => namesWithoutParticles(name).toSorted();

/** The sum of the likenesses of the most similar pairs of words. Each word is in one pair at most. */
function sumBestPairs(left: readonly string[], right: readonly string[]): number {
  const pairs = left.flatMap((a, row) => right.map((b, column) => ({ row, column, likeness: wordLikeness(a, b) })));
  const [rows, columns] = [new Set<number>(), new Set<number>()];
  let sum = 0;
  for (const { row, column, likeness } of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
    if (rows.has(row) || columns.has(column)) continue;
    rows.add(row);
    columns.add(column);
    sum += likeness;
  }
  return sum;
}

function wordLikeness(left: string, right: string): number {
  if (left === right) return 1;
  if (left.length === 1 || right.length === 1) return left[0] === right[0] ? initialLikeness : 0;
  return Math.max(0, (jaroWinkler(left, right) - unrelatedSimilarity) / (1 - unrelatedSimilarity));
}

const round = (likeness: number) => Math.round(likeness * 100) / 100;
