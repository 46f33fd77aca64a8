import { Semaphore } from 'async-mutex';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { createLogger, type Logger } from '../logger';
import { isOutage as isPlatformOutage } from '../outage';
import { errorName, openPool, type Pool } from './postgres';
import { ConfigurationError, type DatabaseSettings } from '../config';

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

/** Rows per statement. With more, a statement could exceed its timeout, and would hold locks for long. */
const batchSize = 1_000;

/** Deletes the rows of a table that match `where`, in batches. `where` is SQL from our code, never input. */
export async function deleteInBatches(pool: Pool, table: string, where: string): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${batchSize}))`;
  let deletedCount: number;
  do deletedCount = (await pool.query(sql)).rowCount ?? 0;
  while (deletedCount === batchSize);
}

/** What a command-line tool gets from the process in which it runs. */
export interface CommandContext {
  /** Returns the environment variables. It is called only if a command runs, so that --help works without settings. */
  environment: () => NodeJS.ProcessEnv;
  stdout: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

/** Reads settings with `readSettings`, and opens the database that they name, with one connection. */
export type OpenDatabase = <Settings extends DatabaseSettings>(
  readSettings: (environment: NodeJS.ProcessEnv) => Settings,
) => { pool: Pool; settings: Settings };

/** Runs a command-line tool. `work` returns the exit code. If `work` throws, prints the message of the error and returns 1. */
export async function runOnDatabase(
  { environment, stderr }: CommandContext,
  work: (open: OpenDatabase) => Promise<number>,
): Promise<number> {
  let opened: Pool | undefined;
  try {
    return await work((readSettings) => {
      const settings = readSettings(environment());
      const pool = openPool(settings, createLogger('command', 'error'), 1);
      opened = pool;
      return { pool, settings };
    });
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await opened?.end();
  }
}

// Row-level security is not active for superusers and for roles with BYPASSRLS.
const isActiveSql = `select row_security_active('transactions') as "isActive"`;

/**
 * Checks that row-level security applies to the role of DATABASE_URL. If it does not apply, logs a warning in the environment `local`, and
 * throws ConfigurationError in other environments. The schema must be up to date.
 */
export async function requireRowSecurity(pool: Pool, environment: string, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ isActive: boolean }>(isActiveSql);
  if (rows[0]?.isActive) return;
  const text =
    'DATABASE_URL: the role is a superuser or has BYPASSRLS, so Postgres does not separate tenants. See docs/connections.md#the-database-role.';
  if (environment !== 'local') throw new ConfigurationError(text);
  logger.warn(text);
}

const backendSql = 'select pg_backend_pid() as pid';

/**
 * Checks that each connection of DATABASE_URL has one session of Postgres, unless DATABASE_DIRECT_URL says that it leads to a pooler.
 * Without sessions, the tenant of one connection would apply to another. Throws ConfigurationError. A pooler that others use at the same
 * time can go unnoticed.
 */
export async function requireSessions(pool: Pool, { DATABASE_DIRECT_URL }: DatabaseSettings): Promise<void> {
  if (DATABASE_DIRECT_URL !== undefined) return;
  const pooler = new ConfigurationError(
    'DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. Set DATABASE_DIRECT_URL to the address of Postgres itself. See docs/connections.md#pgbouncer.',
  );
  try {
    const connections = [await pool.connect(), await pool.connect()] as const;
    const [first, second] = connections;
    try {
      const { rows: before } = await first.query<{ pid: number }>(backendSql);
      // A pooler gives this database transaction the connection to Postgres that the first one has just used.
      await second.query('begin');
      const { rows: after } = await first.query<{ pid: number }>(backendSql);
      await second.query('rollback');
      if (before[0]?.pid !== after[0]?.pid) throw pooler;
    } finally {
      for (const connection of connections) connection.release();
    }
  } catch (error) {
    throw /unsupported startup parameter/.test((error as Error).message) ? pooler : error;
  }
}
