import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import type { KillFigures } from './measure-kills';
import type { IdleFigures, OperationFigures } from './measure-rounds';
import type { Writes } from './measure-writes';
import {
  definitionOf,
  type Operation,
  operations,
  type ProcessGroup,
  processGroups,
  type SideName,
  sideNames,
} from './sides';

/** Everything that one run has measured. */
export interface PeersResult {
  figures: OperationFigures[];
  idle: IdleFigures[];
  writes: Writes[];
  kills: KillFigures[];
}

const titleOf = (side: SideName) => definitionOf(side).title;
const kb = (bytes: number | undefined) => (bytes === undefined ? '' : formatNumber(bytes / 1_000, 1));
const orEmpty = (value: number | undefined, digits: number) => (value === undefined ? '' : formatNumber(value, digits));

/** The median of all rounds, with the lowest and the highest value. */
function formatSpread(values: readonly number[], digits: number): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = formatNumber(median(values), digits);
  return values.length < 2 ? middle : `${middle} (${formatNumber(low, digits)} to ${formatNumber(high, digits)})`;
}

const figuresOf = ({ figures }: PeersResult, side: SideName, operation: Operation) =>
  figures.filter((one) => one.side === side && one.operation === operation);

/** The median CPU time of one group, in ms for each call. Undefined if the side has no such group. */
export function medianCpuMs(
  result: PeersResult,
  side: SideName,
  operation: Operation,
  group: ProcessGroup,
): number | undefined {
  const values = figuresOf(result, side, operation).flatMap(({ cpuMs }) => cpuMs[group] ?? []);
  return values.length > 0 ? median(values) : undefined;
}

export const medianRate = (result: PeersResult, side: SideName, operation: Operation): number =>
  median(figuresOf(result, side, operation).map(({ perSecond }) => perSecond));

function operationTable(result: PeersResult, operation: Operation): string {
  const rows = sideNames.flatMap((side) => {
    const rounds = figuresOf(result, side, operation);
    if (rounds.length === 0) return [];
    const cpu = processGroups.map((group) => orEmpty(medianCpuMs(result, side, operation, group), 1));
    const total = median(rounds.map(({ cpuMs }) => Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0)));
    const writes = result.writes.find((one) => one.side === side && one.operation === operation);
    const wal = rounds.flatMap(({ walBytes }) => walBytes ?? []);
    const writing = rounds.flatMap(({ writingCommits }) => writingCommits ?? []);
    return [
      [
        titleOf(side),
        formatSpread(
          rounds.map(({ perSecond }) => perSecond),
          0,
        ),
        formatNumber(median(rounds.map(({ p50Ms }) => p50Ms)), 1),
        formatNumber(median(rounds.map(({ p99Ms }) => p99Ms)), 1),
        ...cpu,
        formatNumber(total, 1),
        orEmpty(writes?.commits, 1),
        writing.length > 0 ? formatNumber(median(writing), 1) : '',
        orEmpty(writes?.rows, 1),
        wal.length > 0 ? kb(median(wal)) : '',
        orEmpty(writes?.events, 1),
        kb(writes?.eventBytes),
      ],
    ];
  });
  const header = [
    operations[operation],
    'per s',
    'p50, ms',
    'p99, ms',
    ...processGroups.map((group) => `${group}, ms`),
    'CPU, ms',
    'commits',
    'that write',
    'rows',
    'WAL, KB',
    'events',
    'history, KB',
  ];
  return formatTable(header, rows);
}

/** The ratios of the rate and of the median time of two sides, round by round. */
function ratioRow(result: PeersResult, operation: Operation, ours: SideName, theirs: SideName): string[] {
  const pairs = figuresOf(result, ours, operation).flatMap((our) => {
    const their = figuresOf(result, theirs, operation).find(({ round }) => round === our.round);
    return their ? [{ our, their }] : [];
  });
  const cpu = ({ cpuMs }: OperationFigures) => Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const ratios = (read: (figures: OperationFigures) => number) =>
    formatSpread(
      pairs.map(({ our, their }) => read(our) / read(their)),
      2,
    );
  return [
    operations[operation],
    titleOf(theirs),
    ratios(({ perSecond }) => perSecond),
    ratios(({ p50Ms }) => p50Ms),
    ratios(({ p99Ms }) => p99Ms),
    ratios(cpu),
  ];
}

/** Countersign, compared with the same operation of raw Temporal, and with a bare read of a record. */
export function ratioTable(result: PeersResult): string {
  const toTemporal = (['create', 'send', 'wrong', 'right', 'query'] as const).map((operation) =>
    ratioRow(result, operation, 'countersign', 'temporal'),
  );
  const header = ['Countersign', 'compared with', 'rate', 'p50', 'p99', 'CPU'];
  return formatTable(header, [...toTemporal, ratioRow(result, 'record', 'countersignRecord', 'bare')]);
}

export function killTable({ kills }: PeersResult): string {
  const rows = kills.map((one) =>
    [titleOf(one.side), one.sends, one.kills, one.lost, one.doubled, one.unrecorded, one.unanswered].map(String),
  );
  const header = [
    'the sending process is killed',
    'sends',
    'kills',
    'lost',
    'doubled',
    'sent, not recorded',
    'sent, caller got an error',
  ];
  return formatTable(header, rows);
}

function idleTable({ idle }: PeersResult): string {
  const rows = idle.map(({ side, cpuMs }) => [
    titleOf(side),
    ...processGroups.map((group) => orEmpty(cpuMs[group], 1)),
  ]);
  return formatTable(['without work, CPU ms per second', ...processGroups], rows);
}

/** What each peer lacks, as a list. */
const formatLacks = (): string =>
  sideNames
    .flatMap((side) => {
      const { lacks, title } = definitionOf(side);
      return lacks ? [`- **${title}** lacks ${lacks}.`] : [];
    })
    .join('\n');

/** All tables of a run, as Markdown. */
export const formatPeers = (result: PeersResult): string =>
  [
    ratioTable(result),
    ...(Object.keys(operations) as Operation[]).map((operation) => operationTable(result, operation)),
    idleTable(result),
    killTable(result),
    formatLacks(),
  ].join('\n\n');
