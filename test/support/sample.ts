import { randomInt } from 'node:crypto';
import { sample, subarray } from 'fast-check';

// oxlint-disable node/no-process-env -- a person or the test runner sets them
/** The seed of all random choices in tests. The variable `TEST_SEED` sets it. Without this variable, it is random. Suites print it. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
/** True in `npm run test:long`, which uses all items. Other test runs use only a sample of the items. */
const usesAll = process.env['TEST_SAMPLE'] === 'all';
// oxlint-enable node/no-process-env

/** Returns `sampled` in normal test runs, and `all` in `npm run test:long`. */
export const normalOrLong = <Value>(sampled: Value, all: Value): Value => (usesAll ? all : sampled);

/** A random sample of `count` items, in their order. In `npm run test:long`, all items. */
export function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const length = normalOrLong(Math.min(count, items.length), items.length);
  return sample(subarray([...items], { minLength: length, maxLength: length }), { seed, numRuns: 1 })[0] ?? [];
}
