/**
 * Jaro similarity of two words, from 0 to 1. It grows with the number of characters that both words have near the same position. Characters
 * that match in another order count less.
 */
function jaro(left: string, right: string): number {
  const maxDistance = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const matchedPositions = new Set<number>();
  const matchedCharacters: string[] = [];
  for (const [index, character] of Array.from(left).entries()) {
    for (
      let position = Math.max(0, index - maxDistance);
      position <= Math.min(right.length - 1, index + maxDistance);
      position += 1
    ) {
      if (matchedPositions.has(position) || right[position] !== character) continue;
      matchedPositions.add(position);
      matchedCharacters.push(character);
      break;
    }
  }
  if (matchedCharacters.length === 0) return 0;
  const matchedInRight = [...matchedPositions].toSorted((a, b) => a - b).map((at) => right[at]);
  const transpositions = matchedCharacters.filter((character, index) => character !== matchedInRight[index]).length / 2;
  return (
    (matchedCharacters.length / left.length +
      matchedCharacters.length / right.length +
      (matchedCharacters.length - transpositions) / matchedCharacters.length) /
    3
  );
}

/**
 * Winkler's bonus for an equal beginning. Each equal character of the beginning, up to the fourth, adds a tenth of the difference between 1
 * and the Jaro similarity.
 */
const prefixMax = 4;
const prefixWeight = 0.1;
/** The lowest Jaro similarity for which an equal beginning counts. */
const prefixSimilarityMin = 0.7;

/** Similarity of two words from 0 to 1. An equal beginning increases it. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const base = jaro(left, right);
  if (base < prefixSimilarityMin) return base;
  let prefixLength = 0;
  while (prefixLength < prefixMax && left[prefixLength] !== undefined && left[prefixLength] === right[prefixLength])
    prefixLength += 1;
  return base + prefixLength * prefixWeight * (1 - base);
}
