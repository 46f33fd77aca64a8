/** Random choices that repeat with the same seed. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** A number from `min` to `max`. */
  between(min: number, max: number): number;
  /** One of the items. Throws if there is none. */
  pick<Item>(items: readonly Item[]): Item;
  /** All items, in random order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** The generator mulberry32: 32 bits of state are enough to choose faults. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ item }) => item),
  };
}
