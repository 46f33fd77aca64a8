import { median } from '../report/statistics';
import { figure } from '../report/table';
import type { Measured } from './assessment-meter';
import type { Round } from './run-rounds';

/** What the service promises of a graph a hundred times as large. */
const ratioMax = 1.5;
const roundTripsMax = 3;

/** Nobody should believe a round during which the machine did something else. */
const steadyWithin = 0.15;
/** With fewer rounds there would be no spread to tell. */
const steadyMin = 3;

type Span = 'ms' | 'lookMs';

const medianOf = (round: Round | undefined, span: Span) => median(round?.measured.map((one) => one[span]) ?? []);

/** The indexes of rounds in which the small side moved by no more than 15 %; all when that leaves fewer than three. */
export function steadyRounds(small: readonly Round[]): number[] {
  const usual = median(small.map((round) => medianOf(round, 'ms')));
  const all = small.map((_, index) => index);
  const steady = all.filter((index) => Math.abs(medianOf(small[index], 'ms') / usual - 1) <= steadyWithin);
  return steady.length >= steadyMin ? steady : all;
}

export interface Verdict {
  held: boolean;
  text: string;
}

/** Judges rounds of a small and a large graph, those that count, side by side. */
export function evaluate(small: readonly Round[], large: readonly Round[], planned: number): Verdict {
  const ratiosOf = (span: Span) => small.map((round, index) => medianOf(large[index], span) / medianOf(round, span));
  const all: Measured[] = [...small, ...large].flatMap(({ measured }) => measured);
  const roundTrips = Math.max(...all.map((one) => one.roundTrips));
  const tell = (ratios: readonly number[]) =>
    `${figure(median(ratios))} (${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))})`;
  const [assessments, looks] = [ratiosOf('ms'), ratiosOf('lookMs')];
  const held = median(assessments) <= ratioMax && roundTrips <= roundTripsMax;
  return {
    held,
    text: [
      `Ratio of medians (least to greatest of ${small.length} steady rounds of ${planned}):`,
      `  assessment ${tell(assessments)}, at most ${ratioMax}; of that the look at the graph ${tell(looks)}`,
      `SQL round trips per assessment: ${roundTrips}, at most ${roundTripsMax}`,
      held ? 'The promises hold.' : 'A promise does NOT hold.',
    ].join('\n'),
  };
}
