import type { Kind } from '../population/population';
import { mean, median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import type { Measured } from './assessment-meter';
import type { Round, Side } from './run-rounds';

export interface SideResult {
  side: Side;
  /** Those that count. */
  rounds: readonly Round[];
  databaseMb: number;
}

type Read = (result: SideResult) => number;

const allOf = ({ rounds }: SideResult) => rounds.flatMap(({ measured }) => measured);
const msOf = (measured: readonly Measured[]) => measured.map(({ ms }) => ms);
const ofKind =
  (kind: Kind): Read =>
  (result) =>
    median(msOf(allOf(result).filter((one) => one.kind === kind)));
const perAssessment =
  (read: (round: Round) => number): Read =>
  (result) =>
    result.rounds.reduce((sum, round) => sum + read(round), 0) / allOf(result).length;

const lines: readonly [title: string, read: Read, digits?: number][] = [
  ['assessment, median, ms', (result) => median(msOf(allOf(result)))],
  ['assessment, p95, ms', (result) => quantile(msOf(allOf(result)), 0.95)],
  ['assessment, p99, ms', (result) => quantile(msOf(allOf(result)), 0.99)],
  ['of newcomers, median, ms', ofKind('newcomer')],
  ['of who comes back, median, ms', ofKind('returning')],
  ['of ring members, median, ms', ofKind('ring')],
  ['with hot values, median, ms', ofKind('hot')],
  ['look at the graph, median, ms', (result) => median(allOf(result).map(({ lookMs }) => lookMs))],
  [
    'look at the graph, p95, ms',
    (result) =>
      quantile(
        allOf(result).map(({ lookMs }) => lookMs),
        0.95,
      ),
  ],
  ['CPU of the assessing process, ms', perAssessment(({ processCpuMs }) => processCpuMs)],
  ['CPU of Postgres, ms', perAssessment(({ counters }) => counters.backendCpuMs)],
  ['SQL round trips, most', (result) => Math.max(...allOf(result).map(({ roundTrips }) => roundTrips)), 0],
  ['rows given by the look, mean', (result) => mean(allOf(result).map(({ rows }) => rows)), 1],
  ['rows read by index', perAssessment(({ counters }) => counters.rowsFetched), 1],
  ['pages touched', perAssessment(({ counters }) => counters.pages), 1],
  ['pages not in shared_buffers', perAssessment(({ counters }) => counters.pagesMissed), 1],
  ['database, MB', ({ databaseMb }) => databaseMb, 0],
];

/** The figures of both sides and the large by the small. */
export function linksTable(small: SideResult, large: SideResult): string {
  const title = ({ side }: SideResult) => `${side.population.size.toLocaleString('en')} transactions`;
  const rows = lines.map(([name, read, digits]) => {
    const [one, other] = [read(small), read(large)];
    const ratio = one > 0 ? figure(other / one) : '';
    return [name, figure(one, digits), figure(other, digits), ratio];
  });
  return table(['per assessment', title(small), title(large), 'ratio'], rows);
}
