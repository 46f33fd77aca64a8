import { median } from '../report/statistics';
import type { Upload } from './persons-browser';

/** Memory of the API around the uploads of a round, in MB. */
export interface RoundMemory {
  /** The middle of the last seconds before the first of them. */
  before: number;
  peak: number;
  after: number;
}

/** Long enough for the saw of the garbage to have teeth. */
const levelMs = 5_000;

/** Reads the memory of a round from samples [milliseconds of this machine's clock, MB] in their order. */
export function memoryOf(
  samples: readonly (readonly [at: number, mb: number])[],
  uploads: readonly Upload[],
): RoundMemory {
  const first = Math.min(...uploads.map(({ beganAt }) => beganAt));
  const last = Math.max(...uploads.map(({ doneAt }) => doneAt));
  const between = (from: number, to: number) => samples.filter(([at]) => at >= from && at <= to).map(([, mb]) => mb);
  return {
    before: median(between(first - levelMs, first)),
    peak: Math.max(...between(first, last)),
    after: between(0, last).at(-1) ?? Number.NaN,
  };
}
