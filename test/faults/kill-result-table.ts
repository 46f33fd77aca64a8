import type { KillResult } from './kill-result';

/** The smallest value that is at least as large as this share of the values. Undefined without values. */
export const quantile = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];

export const inSeconds = (ms: number | undefined) => (ms === undefined ? '-' : (ms / 1_000).toFixed(1));

/** A line of a table of results: its title, and its value for each result. */
export type ResultLine<Result> = [title: string, readValue: (result: Result) => string | number];

const lines: ResultLine<KillResult>[] = [
  ['run', ({ name }) => name],
  ['confirmations', ({ confirmations }) => confirmations],
  ['kills', ({ kills }) => kills],
  ['confirmations open during a kill', ({ openConfirmationsDuringKill }) => openConfirmationsDuringKill],
  ['lost confirmations', ({ lostConfirmations }) => lostConfirmations],
  ['lost messages', ({ lostMessages }) => lostMessages],
  ['doubled messages', ({ doubledMessages }) => doubledMessages],
  ['histories that do not replay', ({ brokenHistories }) => brokenHistories],
  ['stale records', ({ staleRecords }) => staleRecords],
  ['retries that found the message', ({ sendsFoundAtProvider }) => sendsFoundAtProvider],
  ['retries after a saved outcome', ({ sendsAlreadyRecorded }) => sendsAlreadyRecorded],
  ['repeated requests', ({ repeatedRequests }) => repeatedRequests],
  ['seconds to finish, p50', ({ recoveryMs }) => inSeconds(quantile(recoveryMs, 0.5))],
  ['seconds to finish, p99', ({ recoveryMs }) => inSeconds(quantile(recoveryMs, 0.99))],
  ['seconds to finish, max', ({ recoveryMs }) => inSeconds(recoveryMs.at(-1))],
  ['seconds until records current', ({ recordsCurrentMs }) => inSeconds(recordsCurrentMs)],
];

export const formatKillResults = (results: readonly KillResult[]): string => formatResults(lines, results);

/** One column for each result, so that the table fits a terminal. */
export function formatResults<Result>(lines: readonly ResultLine<Result>[], results: readonly Result[]): string {
  const rows = lines.map(([title, readValue]) => [title, ...results.map((result) => String(readValue(result)))]);
  const widths = [0, ...results.map((_, index) => index + 1)].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0] ?? 0))).join('  '),
    )
    .join('\n');
}
