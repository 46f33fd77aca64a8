import { quantile } from '../report/statistics';
import { figure } from '../report/table';
import type { Phase, Round } from './run-phases';

/** What the service promises of 20 selfies of 5 MB at once. */
const ratioMax = 2;
const growthMbMax = 150;

export const p99Of = ({ readings }: Pick<Phase, 'readings'>): number =>
  quantile(
    readings.map(({ ms }) => ms),
    0.99,
  );

export const ratioOf = ({ idle, uploading }: Pick<Round, 'idle' | 'uploading'>): number =>
  p99Of(uploading) / p99Of(idle);

const phaseOf = (rounds: readonly Judged[], phase: 'idle' | 'uploading') => ({
  readings: rounds.flatMap((round) => round[phase].readings),
});

/** Of all readings of all rounds: the last hundredth of one round is a handful of them. */
const pooledRatioOf = (rounds: readonly Judged[]) =>
  p99Of(phaseOf(rounds, 'uploading')) / p99Of(phaseOf(rounds, 'idle'));

const failuresOf = ({ readings }: Phase) => readings.filter(({ status }) => status !== 200).length;

/** Nobody should believe a round during which others took more than this share of one core. */
const othersMost = 0.25;
/** With fewer rounds there would be no spread to tell. */
const quietMin = 3;

export type Judged = Pick<Round, 'idle' | 'uploading'>;

/** The share of one core that others took, in the phase in which it was more. */
export const othersIn = ({ idle, uploading }: Judged): number =>
  Math.max(...[idle, uploading].map(({ spent }) => spent.others / spent.ms));

/** The rounds in which the machine did little else; all when that leaves fewer than three. */
export function quietRounds<Given extends Judged>(rounds: readonly Given[]): readonly Given[] {
  const quiet = rounds.filter((round) => othersIn(round) <= othersMost);
  return quiet.length >= quietMin ? quiet : rounds;
}

export interface Verdict {
  held: boolean;
  text: string;
}

/** Judges the rounds that count, and how much more memory the API had at most than before the first upload, in MB. */
export function evaluate(rounds: readonly Judged[], growthMb: number): Verdict {
  const counted = quietRounds(rounds);
  const ratios = counted.map(ratioOf);
  const ratio = pooledRatioOf(counted);
  const failures = rounds.reduce((sum, { idle, uploading }) => sum + failuresOf(idle) + failuresOf(uploading), 0);
  const [fast, small] = [ratio <= ratioMax, growthMb < growthMbMax];
  const held = fast && small && failures === 0;
  const noise = Math.max(...counted.map(othersIn));
  return {
    held,
    text: [
      `p99 of GET /v1/transaction/{id} while uploading, by idle: ${figure(ratio)} (${figure(Math.min(...ratios))} ` +
        `to ${figure(Math.max(...ratios))} in ${counted.length} of ${rounds.length} rounds), at most ${ratioMax}` +
        (fast ? '' : ': NOT held'),
      `Memory of the API: ${figure(growthMb, 0)} MB more than before the first upload, less than ${growthMbMax}` +
        (small ? '' : ': NOT held'),
      ...(failures > 0 ? [`${failures} reads were not answered with 200: NOT held`] : []),
      ...(noise > othersMost
        ? [
            `The machine did other work beside, up to ${figure(100 * noise, 0)} % of one core: measure again when it is quiet.`,
          ]
        : []),
      held ? 'The promises hold.' : 'A promise does NOT hold.',
    ].join('\n'),
  };
}
