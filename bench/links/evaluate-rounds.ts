import { median } from '../report/statistics';
import { formatNumber } from '../report/table';
import type { AssessmentCost } from './assessment-meter';
import type { Round } from './run-rounds';

/**
 * The highest accepted ratio: the median time of an assessment on the large graph, divided by the median time on the small graph. The large
 * graph has a hundred times as many transactions as the small graph.
 */
const ratioMax = 1.5;
/** The highest accepted number of SQL round trips in one assessment. */
const roundTripsMax = 3;

/**
 * The highest accepted deviation of a round, as a share: how much its median time on the small graph differs from the median of these times
 * over all rounds. With a higher deviation, the machine was busy, and the results ignore the round on both graphs.
 */
const deviationMax = 0.15;
/** If there are fewer steady rounds than this, all rounds are used. */
const steadyRoundsMin = 3;

/** A duration of an assessment: of the whole assessment (`ms`), or of its graph query (`queryMs`). */
type DurationField = 'ms' | 'queryMs';

/** The median of one duration over the assessments of a round. */
const medianOf = (round: Round | undefined, duration: DurationField) =>
  median(round?.measurements.map((one) => one[duration]) ?? []);

/**
 * Returns the indexes of the steady rounds: rounds whose deviation is at most `deviationMax`. Returns all indexes if fewer than three
 * rounds are steady. `small`: the rounds of the small graph.
 */
export function findSteadyRounds(small: readonly Round[]): number[] {
  const typicalMs = median(small.map((round) => medianOf(round, 'ms')));
  const indexes = small.map((_, index) => index);
  const steadyIndexes = indexes.filter(
    (index) => Math.abs(medianOf(small[index], 'ms') / typicalMs - 1) <= deviationMax,
  );
  return steadyIndexes.length >= steadyRoundsMin ? steadyIndexes : indexes;
}

/** Whether all limits hold, and the results as a text. */
export interface Evaluation {
  passed: boolean;
  text: string;
}

/** Compares the steady rounds of the small and the large graph. `plannedRounds`: the number of all rounds, steady or not. */
export function evaluateRounds(small: readonly Round[], large: readonly Round[], plannedRounds: number): Evaluation {
  const ratiosOf = (duration: DurationField) =>
    small.map((round, index) => medianOf(large[index], duration) / medianOf(round, duration));
  const allMeasurements: AssessmentCost[] = [...small, ...large].flatMap(({ measurements }) => measurements);
  const roundTrips = Math.max(...allMeasurements.map((one) => one.roundTrips));
  const formatRange = (ratios: readonly number[]) =>
    `${formatNumber(median(ratios))} (${formatNumber(Math.min(...ratios))} to ${formatNumber(Math.max(...ratios))})`;
  const [assessmentRatios, queryRatios] = [ratiosOf('ms'), ratiosOf('queryMs')];
  const passed = median(assessmentRatios) <= ratioMax && roundTrips <= roundTripsMax;
  return {
    passed,
    text: [
      `Ratio of medians (lowest to highest of ${small.length} rounds of ${plannedRounds}):`,
      `  assessment ${formatRange(assessmentRatios)}, limit ${ratioMax}; graph query ${formatRange(queryRatios)}`,
      `SQL round trips per assessment: ${roundTrips}, limit ${roundTripsMax}`,
      passed ? 'Passed.' : 'FAILED.',
    ].join('\n'),
  };
}
