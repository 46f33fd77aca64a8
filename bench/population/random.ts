/** Numbers that look random and are the same for the same key. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number;
  chance(share: number): boolean;
  pick<One>(list: readonly One[]): One;
  /** A rank from 0 to `count` - 1; the chance of rank r falls with (r + 1) to the power of `steepness`, not 1. */
  rank(count: number, steepness: number): number;
}

/** FNV-1a, continued from one start per word of the state. */
function hashText(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}

/** The generator sfc32: fast, and passes the common batteries of tests. */
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
  // The author's advice: this many rounds until no pattern of the seed is left.
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** Numbers of their own for every key. */
export function randomOf(...key: readonly (string | number)[]): Random {
  const next = createSfc32(key.join('/'));
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: <One>(list: readonly One[]) => {
      const one = list[int(list.length)];
      if (one === undefined) throw new Error('There is nothing to pick from.');
      return one;
    },
    // The inverse of the continuous distribution: exact enough for a crowd, and no table to hold.
    rank: (count, steepness) => {
      const flat = 1 - steepness;
      return Math.min(count, Math.floor((next() * ((count + 1) ** flat - 1) + 1) ** (1 / flat))) - 1;
    },
  };
}
