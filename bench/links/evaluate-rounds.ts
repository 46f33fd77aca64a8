import { median } from '../report/statistics';
import { figure } from '../report/table';
import type { Measurement } from './assessment-meter';
import type { Round } from './run-rounds';

/** Limits for a graph that is a hundred times as large. */
const ratioMax = 1.5;
const roundTripsMax = 3;

/** A round with a larger deviation is not used: the machine was busy with other work. */
const steadyWithin = 0.15;
/** The fewest rounds with a meaningful spread. */
const steadyMin = 3;

type Duration = 'ms' | 'queryMs';

const medianOf = (round: Round | undefined, duration: Duration) =>
  median(round?.measurements.map((one) => one[duration]) ?? []);

/** The indexes of rounds in which the median of the small side deviates by at most 15 %; all when there are fewer than three. */
export function steadyRounds(small: readonly Round[]): number[] {
  const typicalMs = median(small.map((round) => medianOf(round, 'ms')));
  const all = small.map((_, index) => index);
  const steady = all.filter((index) => Math.abs(medianOf(small[index], 'ms') / typicalMs - 1) <= steadyWithin);
  return steady.length >= steadyMin ? steady : all;
}

export interface Verdict {
  passed: boolean;
  text: string;
}

/** Compares the steady rounds of a small and a large graph. */
export function evaluate(small: readonly Round[], large: readonly Round[], plannedRounds: number): Verdict {
  const ratiosOf = (duration: Duration) =>
    small.map((round, index) => medianOf(large[index], duration) / medianOf(round, duration));
  const all: Measurement[] = [...small, ...large].flatMap(({ measurements }) => measurements);
  const roundTrips = Math.max(...all.map((one) => one.roundTrips));
  const formatRange = (ratios: readonly number[]) =>
    `${figure(median(ratios))} (${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))})`;
  const [assessments, queries] = [ratiosOf('ms'), ratiosOf('queryMs')];
  const passed = median(assessments) <= ratioMax && roundTrips <= roundTripsMax;
  return {
    passed,
    text: [
      `Ratio of medians (lowest to highest of ${small.length} steady rounds of ${plannedRounds}):`,
      `  assessment ${formatRange(assessments)}, limit ${ratioMax}; graph query ${formatRange(queries)}`,
      `SQL round trips per assessment: ${roundTrips}, limit ${roundTripsMax}`,
      passed ? 'Passed.' : 'FAILED.',
    ].join('\n'),
  };
}
