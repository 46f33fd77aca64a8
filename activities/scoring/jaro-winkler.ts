/** Jaro similarity: the share of characters that match near the same position. Matches in another order count half. */
function jaro(left: string, right: string): number {
  const maxDistance = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const matchedPositions = new Set<number>();
  const matchedCharacters: string[] = [];
  for (const [index, character] of Array.from(left).entries()) {
    for (let at = Math.max(0, index - maxDistance); at <= Math.min(right.length - 1, index + maxDistance); at += 1) {
      if (matchedPositions.has(at) || right[at] !== character) continue;
      matchedPositions.add(at);
      matchedCharacters.push(character);
      break;
    }
  }
  if (matchedCharacters.length === 0) return 0;
  const inRight = [...matchedPositions].toSorted((a, b) => a - b).map((at) => right[at]);
  const outOfOrder = matchedCharacters.filter((character, index) => character !== inRight[index]).length / 2;
  return (
    (matchedCharacters.length / left.length +
      matchedCharacters.length / right.length +
      (matchedCharacters.length - outOfOrder) / matchedCharacters.length) /
    3
  );
}

/** Winkler's weights. Each equal character at the beginning, up to four, adds a tenth of the difference to 1. */
const prefixMax = 4;
const prefixWeight = 0.1;
/** The lowest similarity for which an equal beginning counts. */
const prefixCountsFrom = 0.7;

/** Similarity of two words from 0 to 1. An equal beginning increases it. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const base = jaro(left, right);
  if (base < prefixCountsFrom) return base;
  let common = 0;
  while (common < prefixMax && left[common] !== undefined && left[common] === right[common]) common += 1;
  return base + common * prefixWeight * (1 - base);
}
