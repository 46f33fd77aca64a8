/** A deterministic pseudo-random generator. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** An integer from 0 (included) to `limit` (excluded). */
  int(limit: number): number;
  /** Returns true with the probability `share`, from 0 to 1. */
  chance(share: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
  /**
   * An index from 0 to `count` - 1. Low indexes are more probable: the probability of index i is proportional to 1 / (i + 1) ** steepness.
   * `steepness` must not be 1.
   */
  skewedIndex(count: number, steepness: number): number;
}

/** The hash function FNV-1a, with a start value. */
function hashText(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}

/** The pseudo-random generator sfc32. `text` is the seed. */
function createSfc32(text: string): () => number {
  let [a, b, c, counter] = [hashText(text, 2_166_136_261), hashText(text, 40_503), hashText(text, 69_069), 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
  // The author of sfc32 recommends 12 rounds to mix the seed.
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** Creates a generator. `key`: any values. The same values give the same random numbers. */
export function createRandom(...key: readonly (string | number)[]): Random {
  const next = createSfc32(key.join('/'));
  const int = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: <Item>(list: readonly Item[]) => {
      const item = list[int(list.length)];
      if (item === undefined) throw new Error('The list is empty.');
      return item;
    },
    // Approximates the probabilities by a continuous distribution, and uses its inverse. This needs no table of probabilities.
    skewedIndex: (count, steepness) => {
      const exponent = 1 - steepness;
      return Math.min(count, Math.floor((next() * ((count + 1) ** exponent - 1) + 1) ** (1 / exponent))) - 1;
    },
  };
}
