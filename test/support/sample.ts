import { randomInt } from 'node:crypto';
import { sample, subarray } from 'fast-check';

// oxlint-disable node/no-process-env -- a person or the test runner sets them
/** The seed of random suites. Each run has a different seed, which suites print. `TEST_SEED` sets it. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
/** `npm run test:long` uses everything where other runs use a sample. */
const usesAll = process.env['TEST_SAMPLE'] === 'all';
// oxlint-enable node/no-process-env

/** Returns the first value in normal runs, and the second one in `npm run test:long`. */
export const normalOrLong = <Value>(sampled: Value, all: Value): Value => (usesAll ? all : sampled);

/** A random sample of the items, in their order. */
export function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const length = normalOrLong(Math.min(count, items.length), items.length);
  return sample(subarray([...items], { minLength: length, maxLength: length }), { seed, numRuns: 1 })[0] ?? [];
}
