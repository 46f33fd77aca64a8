/** Jaro similarity: matching characters within reach of each other, minus half of those out of order. */
function jaro(left: string, right: string): number {
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const taken = new Set<number>();
  const matched: string[] = [];
  for (const [index, character] of Array.from(left).entries()) {
    for (let at = Math.max(0, index - reach); at <= Math.min(right.length - 1, index + reach); at += 1) {
      if (taken.has(at) || right[at] !== character) continue;
      taken.add(at);
      matched.push(character);
      break;
    }
  }
  if (matched.length === 0) return 0;
  const inRight = [...taken].toSorted((a, b) => a - b).map((at) => right[at]);
  const outOfOrder = matched.filter((character, index) => character !== inRight[index]).length / 2;
  return (
    (matched.length / left.length + matched.length / right.length + (matched.length - outOfOrder) / matched.length) / 3
  );
}

/** Winkler's weights: each common first character, up to four, adds a tenth of what is missing to 1. */
const prefixMax = 4;
const prefixWeight = 0.1;
/** Below this similarity, a common beginning does not count. */
const prefixCountsFrom = 0.7;

/** Similarity of two words from 0 to 1. A common beginning counts more. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const base = jaro(left, right);
  if (base < prefixCountsFrom) return base;
  let common = 0;
  while (common < prefixMax && left[common] !== undefined && left[common] === right[common]) common += 1;
  return base + common * prefixWeight * (1 - base);
}
