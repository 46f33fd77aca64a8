import type { Kind } from '../population/population';
import { mean, median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import type { Measurement } from './assessment-meter';
import type { Round, Side } from './run-rounds';

export interface SideResult {
  side: Side;
  /** Only the steady rounds. */
  rounds: readonly Round[];
  databaseMb: number;
}

type Read = (result: SideResult) => number;

const allOf = ({ rounds }: SideResult) => rounds.flatMap(({ measurements }) => measurements);
const msOf = (measurements: readonly Measurement[]) => measurements.map(({ ms }) => ms);
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
  ['new persons, median, ms', ofKind('newcomer')],
  ['returning persons, median, ms', ofKind('returning')],
  ['ring members, median, ms', ofKind('ring')],
  ['hot values, median, ms', ofKind('hot')],
  ['graph query, median, ms', (result) => median(allOf(result).map(({ queryMs }) => queryMs))],
  [
    'graph query, p95, ms',
    (result) =>
      quantile(
        allOf(result).map(({ queryMs }) => queryMs),
        0.95,
      ),
  ],
  ['CPU of the assessing process, ms', perAssessment(({ processCpuMs }) => processCpuMs)],
  ['CPU of Postgres, ms', perAssessment(({ counters }) => counters.backendCpuMs)],
  ['SQL round trips, max', (result) => Math.max(...allOf(result).map(({ roundTrips }) => roundTrips)), 0],
  ['rows of the graph query, mean', (result) => mean(allOf(result).map(({ rows }) => rows)), 1],
  ['rows read by index', perAssessment(({ counters }) => counters.rowsFetched), 1],
  ['pages touched', perAssessment(({ counters }) => counters.pages), 1],
  ['pages not in shared_buffers', perAssessment(({ counters }) => counters.pagesMissed), 1],
  ['database, MB', ({ databaseMb }) => databaseMb, 0],
];

/** A table of the measurements of both sides, with the ratio of large to small. */
export function linksTable(small: SideResult, large: SideResult): string {
  const title = ({ side }: SideResult) => `${side.population.size.toLocaleString('en')} transactions`;
  const rows = lines.map(([name, read, digits]) => {
    const [smallValue, largeValue] = [read(small), read(large)];
    const ratio = smallValue > 0 ? figure(largeValue / smallValue) : '';
    return [name, figure(smallValue, digits), figure(largeValue, digits), ratio];
  });
  return table(['per assessment', title(small), title(large), 'ratio'], rows);
}
