import { formatColumns } from '../../platform/text-table';
import { formatCount } from './progress';

/** What differs after a restore. Lists have the ids of transactions as `tenant/id`; those of Temporal are workflow ids. */
export interface RestoreReport {
  main: { id: string; at: string };
  dataKeys: { id: string; at: string };
  transactions: number;
  /** From the erasure log. */
  erasedAgain: string[];
  /** Their images alone were erased again. */
  imagesErasedAgain: string[];
  /** Their key was destroyed after the backup of the tables, so they were erased. */
  erasedWithoutKey: string[];
  /** Something was open in the backup, and has ended. */
  ended: string[];
  /** A worker resumes them. */
  resumed: number;
  /** They cannot be read: the data keys are older than the tables. */
  withoutKey: string[];
  /** Their data key or record cannot be decrypted. The owner of a key for events of providers is a day. */
  unreadable: string[];
  keysWithoutTransaction: number;
  /** Keys of erased transactions that older data keys had brought back. */
  keysErasedAgain: number;
  messagesUnknown: number;
  imagesRestored: number;
  imagesMissing: number;
  workflows: { open: number; ahead: string[]; behind: string[]; withoutRecord: string[] };
}

/** The report as a table for a terminal. */
export function formatReport(report: RestoreReport): string {
  const { workflows } = report;
  const rows: [string, number, string][] = [
    ['transactions', report.transactions, ''],
    ['  erased again', report.erasedAgain.length, 'erased after the backup, by the erasure log'],
    ['  images erased again', report.imagesErasedAgain.length, ''],
    ['  erased, key destroyed', report.erasedWithoutKey.length, 'the data keys are newer than the tables'],
    ['  ended', report.ended.length, 'a code, question, link or flow run was open in the backup'],
    ['  go on', report.resumed, 'a worker resumes them'],
    ['  without a data key', report.withoutKey.length, 'unreadable: restore newer data keys'],
    ['  unreadable', report.unreadable.length, 'data key or record cannot be decrypted: check OTHER_SERVICE_KEYS'],
    ['keys without a transaction', report.keysWithoutTransaction, 'created after the backup, now lost; deleted'],
    ['keys of erased transactions', report.keysErasedAgain, 'brought back by older data keys; deleted'],
    ['messages, outcome unknown', report.messagesUnknown, 'not sent again without a search at the provider'],
    ['images restored', report.imagesRestored, ''],
    ['images missing', report.imagesMissing, 'neither in the image store nor in the backup'],
    ['open workflows', workflows.open, 'terminated; their transactions continue from their records'],
    ['  ahead of the record', workflows.ahead.length, 'changed after the backup; these changes are lost'],
    ['  behind the record', workflows.behind.length, 'Temporal is older than the record; nothing is lost'],
    ['  without a record', workflows.withoutRecord.length, 'created after the backup; these transactions are lost'],
  ];
  return formatColumns(
    rows.map(([name, count, text]) => [name, formatCount(count).padStart(9), count > 0 ? text : '']),
  );
}
