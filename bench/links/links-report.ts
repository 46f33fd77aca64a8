import type { PersonKind } from '../population/population';
import { mean, median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import type { AssessmentCost } from './assessment-meter';
import type { Round, Side } from './run-rounds';

/** The results of one graph. */
export interface SideResult {
  side: Side;
  /** The measured rounds, without rounds in which the machine was busy (see `findSteadyRounds`). */
  rounds: readonly Round[];
  databaseMb: number;
}

/** Computes one number of the table from the results of one graph. */
type ReadMetric = (result: SideResult) => number;

const measurementsOf = ({ rounds }: SideResult) => rounds.flatMap(({ measurements }) => measurements);
const msOf = (measurements: readonly AssessmentCost[]) => measurements.map(({ ms }) => ms);
/** The median time of the assessments of all persons of one kind. */
const medianOfKind =
  (kind: PersonKind): ReadMetric =>
  (result) =>
    median(msOf(measurementsOf(result).filter((one) => one.kind === kind)));
/** The mean of a value per assessment. `read`: returns the sum of the value in one round. */
const perAssessment =
  (read: (round: Round) => number): ReadMetric =>
  (result) =>
    result.rounds.reduce((sum, round) => sum + read(round), 0) / measurementsOf(result).length;

/** The rows of the table. `digits`: number of decimals. */
const metrics: readonly [title: string, read: ReadMetric, digits?: number][] = [
  ['assessment, median, ms', (result) => median(msOf(measurementsOf(result)))],
  ['assessment, p95, ms', (result) => quantile(msOf(measurementsOf(result)), 0.95)],
  ['assessment, p99, ms', (result) => quantile(msOf(measurementsOf(result)), 0.99)],
  ['new persons, median, ms', medianOfKind('newcomer')],
  ['returning persons, median, ms', medianOfKind('returning')],
  ['ring members, median, ms', medianOfKind('ring')],
  ['hot values, median, ms', medianOfKind('hot')],
  ['graph query, median, ms', (result) => median(measurementsOf(result).map(({ queryMs }) => queryMs))],
  [
    'graph query, p95, ms',
    (result) =>
      quantile(
        measurementsOf(result).map(({ queryMs }) => queryMs),
        0.95,
      ),
  ],
  ['CPU of the assessing process, ms', perAssessment(({ processCpuMs }) => processCpuMs)],
  ['CPU of Postgres, ms', perAssessment(({ counters }) => counters.backendCpuMs)],
  ['SQL round trips, max', (result) => Math.max(...measurementsOf(result).map(({ roundTrips }) => roundTrips)), 0],
  ['rows of the graph query, mean', (result) => mean(measurementsOf(result).map(({ queryRows }) => queryRows)), 1],
  ['rows read by index', perAssessment(({ counters }) => counters.rowsFetched), 1],
  ['pages touched', perAssessment(({ counters }) => counters.pages), 1],
  ['pages not in shared_buffers', perAssessment(({ counters }) => counters.pagesMissed), 1],
  ['database, MB', ({ databaseMb }) => databaseMb, 0],
];

/** A table of the measurements of both graphs. The ratio is the value of the large graph, divided by the value of the small graph. */
export function linksTable(small: SideResult, large: SideResult): string {
  const title = ({ side }: SideResult) => `${side.population.size.toLocaleString('en')} transactions`;
  const rows = metrics.map(([name, read, digits]) => {
    const [smallValue, largeValue] = [read(small), read(large)];
    const ratio = smallValue > 0 ? formatNumber(largeValue / smallValue) : '';
    return [name, formatNumber(smallValue, digits), formatNumber(largeValue, digits), ratio];
  });
  return formatTable(['per assessment', title(small), title(large), 'ratio'], rows);
}
