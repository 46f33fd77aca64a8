import { randomInt } from 'node:crypto';
import { sample, subarray } from 'fast-check';

// oxlint-disable node/no-process-env -- a person, or the runner of the tests, sets them
/** What random suites draw by: another number in each run, which they print. `TEST_SEED` draws the same once more. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
/** `npm run test:long` takes everything where other runs take a sample. */
const usesAll = process.env['TEST_SAMPLE'] === 'all';
// oxlint-enable node/no-process-env

export const inSample = <Value>(few: Value, all: Value): Value => (usesAll ? all : few);

/** Some of the items, drawn by the seed, in their order. */
export function sampleOf<Item>(items: readonly Item[], count: number): Item[] {
  const length = inSample(Math.min(count, items.length), items.length);
  return sample(subarray([...items], { minLength: length, maxLength: length }), { seed, numRuns: 1 })[0] ?? [];
}
