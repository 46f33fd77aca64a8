import { randomInt } from 'node:crypto';
import { sample, subarray } from 'fast-check';

// oxlint-disable node/no-process-env -- a person or the test runner sets them
/** The seed of all random choices comes from the variable `TEST_SEED`, or is random. Suites print the seed. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
/** True in `npm run test:long`. */
const usesAll = process.env['TEST_SAMPLE'] === 'all';
// oxlint-enable node/no-process-env

/** Returns `all` in `npm run test:long`, otherwise `sampled`. */
export const normalOrLong = <Value>(sampled: Value, all: Value): Value => (usesAll ? all : sampled);

/** `count` random items, in their order. In `npm run test:long`, all items. */
export function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const length = normalOrLong(Math.min(count, items.length), items.length);
  return sample(subarray([...items], { minLength: length, maxLength: length }), { seed, numRuns: 1 })[0] ?? [];
}
