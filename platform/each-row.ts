import { Semaphore } from 'async-mutex';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { errorName, type Logger } from './logger';
import { isOutage as isPlatformOutage } from './outage';

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
   * Asks the servers that the work needs, and rejects if one of them is unavailable. Some errors that look like an outage, such as a timeout,
   * belong to one row. So after such an error, the row is skipped if the probe succeeds, however many of these rows there are. Without a probe,
   * such an error is thrown: somebody waits for the answer.
   */
  probe?: () => Promise<unknown>;
  /**
   * For how long rows are started, in milliseconds. By default, until all are started. Later rows are neither in `results` nor in `skipped`,
   * so the next call finds them. The first row is always started.
   */
  startsForMs?: number;
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
  {
    task,
    idsOf,
    logger,
    concurrency = 1,
    probe,
    startsForMs = Infinity,
    isOutage = isPlatformOutage,
    signal,
  }: EachRowOptions<Row>,
): Promise<{ results: Result[]; skipped: Row[] }> {
  const slots = new Semaphore(concurrency);
  const outage = new AbortController();
  const skipped: Row[] = [];
  const endMs = Date.now() + startsForMs;
  const workOn = async (row: Row): Promise<Result[]> => {
    // Rows that are already in memory would otherwise keep this thread until the last of them.
    await letOthersRun();
    signal?.throwIfAborted();
    outage.signal.throwIfAborted();
    if (row !== rows[0] && Date.now() >= endMs) return [];
    try {
      return [await work(row)];
    } catch (error) {
      signal?.throwIfAborted();
      if (isOutage(error) && !(await succeeds(probe))) {
        // The rows that wait are not started.
        outage.abort(error);
        throw error;
      }
      skipped.push(row);
      logger.error({ task, ...idsOf(row), failure: errorName(error) }, 'a row was skipped');
      return [];
    }
  };
  const results = await Promise.all(rows.map((row) => slots.runExclusive(() => workOn(row))));
  return { results: results.flat(), skipped };
}

async function succeeds(probe: (() => Promise<unknown>) | undefined): Promise<boolean> {
  if (!probe) return false;
  return probe().then(
    () => true,
    () => false,
  );
}
