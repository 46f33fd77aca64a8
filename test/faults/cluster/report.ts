import type { FaultRecord } from './schedule';
import type { Finding, Verification } from './verify';

/** The smallest value that is not below this share of the values. `sorted`: ascending, not empty. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Whether the person of the finding was on its way during the fault. */
const isDuring = ({ person }: Finding, { from, until }: FaultRecord): boolean =>
  person !== undefined && person.startedAt <= until.getTime() && person.endedAt >= from.getTime();

function formatRow(kind: string, records: readonly FaultRecord[], findings: readonly Finding[]): string[] {
  const recovered = records.flatMap(({ recoveryMs }) => recoveryMs ?? []).toSorted((left, right) => left - right);
  const at = (share: number) => (recovered.length === 0 ? '-' : seconds(quantile(recovered, share)));
  const count = (wanted: Finding['kind']) => String(findings.filter((finding) => finding.kind === wanted).length);
  const repeats = records.reduce((sum, record) => sum + record.repeats, 0);
  return [kind, String(records.length), at(0.5), at(0.99), at(1), String(repeats), count('lost'), count('doubled')];
}

/** The table of a run: one row for each kind of fault, and the totals. A finding counts for each fault during which its person was active. */
export function formatTable(records: readonly FaultRecord[], findings: readonly Finding[]): string {
  const kinds = [...new Set(records.map(({ kind }) => kind))].toSorted();
  const rows = [
    ['fault', 'times', 'p50', 'p99', 'max', 'repeats', 'lost', 'doubled'],
    ...kinds.map((kind) => {
      const own = records.filter((record) => record.kind === kind);
      return formatRow(
        kind,
        own,
        findings.filter((finding) => own.some((record) => isDuring(finding, record))),
      );
    }),
    formatRow('all', records, findings),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

/** The lines below the table. */
export function formatVerification(verification: Verification, records: readonly FaultRecord[]): string {
  const { findings, messages, events, repeatedEvents, rejectedEvents, repeatedMails, replayedHistories } = verification;
  const unrecovered = records.filter(({ recoveryMs }) => recoveryMs === undefined).length;
  const describe = ({ kind, text, person }: Finding) =>
    `  ${kind}: ${text}${person ? ` (${person.kind}, ${person.transactionId || person.phone})` : ''}`;
  return [
    `messages: ${messages}, ${repeatedMails} of them mails repeated with the same Message-ID`,
    `events: ${events}, ${repeatedEvents} of them repeated, ${rejectedEvents} rejected and delivered again`,
    `replayed histories: ${replayedHistories}   faults without recovery: ${unrecovered}`,
    ...findings.slice(0, 40).map(describe),
    ...(findings.length > 40 ? [`  … and ${findings.length - 40} more`] : []),
  ].join('\n');
}
