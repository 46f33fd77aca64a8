import pLimit from 'p-limit';
import type { Logger } from './logger';
import { isOutage as isPlatformOutage } from './outage';
import { errorName } from './postgres';

/** `outagesMax` for work for which nobody waits. A row that always times out does not stop it, and an outage stops it soon. */
export const backgroundOutagesMax = 3;

/** How `eachRow` works, and how it reports a row that it skips. */
export interface EachRowOptions<Row> {
  /** What is done with the rows, for the log, such as `list reviews`. */
  task: string;
  /** The ids of a row, for the log. Never personal data. */
  idsOf: (row: Row) => Readonly<Record<string, string>>;
  logger: Pick<Logger, 'error'>;
  /** How many rows are in work at a time. By default, one. */
  concurrency?: number;
  /**
   * After this many outages in a row, the error is thrown. By default 1, because somebody waits for the answer. Background work continues
   * after the first: some errors that look like an outage, such as a timeout, belong to one row.
   */
  outagesMax?: number;
  /** Whether an error is an outage. By default, as in `platform/outage.ts`. */
  isOutage?: (error: unknown) => boolean;
  /** Stops the work between two rows when it is aborted: its reason is thrown. */
  signal?: AbortSignal;
}

/**
 * Calls `work` for each row. A row for which it fails is skipped and logged as an error, so that one bad row, such as a record that
 * somebody has changed, never hides or delays the others. Returns the results in the order of the rows, and the skipped rows. Throws only
 * during an outage, and if `signal` is aborted.
 */
export async function eachRow<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
  { task, idsOf, logger, concurrency = 1, outagesMax = 1, isOutage = isPlatformOutage, signal }: EachRowOptions<Row>,
): Promise<{ results: Result[]; skipped: Row[] }> {
  const limit = pLimit(concurrency);
  const skipped: Row[] = [];
  let outages = 0;
  const workOn = async (row: Row): Promise<Result[]> => {
    signal?.throwIfAborted();
    try {
      const result = await work(row);
      outages = 0;
      return [result];
    } catch (error) {
      signal?.throwIfAborted();
      outages = isOutage(error) ? outages + 1 : 0;
      if (outages >= outagesMax) {
        // The rows that wait are not started.
        limit.clearQueue();
        throw error;
      }
      skipped.push(row);
      logger.error({ task, ...idsOf(row), failure: errorName(error) }, 'a row was skipped');
      return [];
    }
  };
  const results = await Promise.all(rows.map((row) => limit(() => workOn(row))));
  return { results: results.flat(), skipped };
}
