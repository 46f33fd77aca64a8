import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client, type PoolClient } from 'pg';
import type { DatabaseSettings } from '../config';
import { errorName, type Logger } from '../logger';
import { observeGauge } from '../telemetry/metrics';
import { hasStaleStatements } from './prepared-statements';
import { scopeStatement, TenantPool } from './tenant-pool';
import { allTenants } from './tenant-scope';

export type { PoolClient, TenantPool as Pool };

/** The address for what needs a session of Postgres, such as LISTEN. A pooler in transaction mode has none. */
export const directUrl = ({ DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseSettings): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL;

/**
 * A connection pool with timeouts. It continues after an outage of the database. Its connections see only rows of the current tenant.
 * `database`: the settings, or the address of Postgres itself.
 */
export function openPool(database: DatabaseSettings | string, logger: Logger, size = 10): TenantPool {
  const settings = typeof database === 'string' ? { DATABASE_URL: database } : database;
  const pool = new TenantPool({
    connectionString: settings.DATABASE_URL,
    max: size,
    connectionTimeoutMillis: postgresTimeouts.connectionMs,
    query_timeout: postgresTimeouts.queryMs,
    isPooler: settings.DATABASE_DIRECT_URL !== undefined,
    limits: {
      statement_timeout: postgresTimeouts.statementMs,
      idle_in_transaction_session_timeout: postgresTimeouts.idleInTransactionMs,
    },
  });
  // Without error listeners, the process would end when the server closes a connection. The pool emits the errors of idle connections. A
  // connection in use emits its own errors.
  const logLostConnection = (error: Error & { code?: string }) =>
    logger.warn({ failure: error.code ?? error.name }, 'a Postgres connection was lost');
  pool.on('error', logLostConnection);
  pool.on('connect', (client) => client.on('error', logLostConnection));
  openPools.add(pool);
  return pool;
}

/** The pools of this process, which live as long as the process. */
const openPools = new Set<TenantPool>();

/** Measures the connections of all pools of this process. Call this once, after `startMetrics`. */
export function observePools(): void {
  const options = { description: 'Connections to Postgres, by state; `waiting`: callers without a connection' };
  observeGauge('db.client.connections', options, (observe) => {
    const sum = (count: (pool: TenantPool) => number) => [...openPools].reduce((total, pool) => total + count(pool), 0);
    observe(
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
      { state: 'used' },
    );
    observe(
      sum(({ idleCount }) => idleCount),
      { state: 'idle' },
    );
    observe(
      sum(({ turnsWaiting }) => turnsWaiting),
      { state: 'waiting' },
    );
  });
}

/** Rows per statement. With more, a statement could exceed its timeout, and would hold locks for long. */
const batchSize = 1_000;

/** Deletes the rows of a table that match `where`, in batches. `where` is SQL from our code, never input. */
export async function deleteInBatches(pool: TenantPool, table: string, where: string): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${batchSize}))`;
  let deletedCount: number;
  do deletedCount = (await pool.query(sql)).rowCount ?? 0;
  while (deletedCount === batchSize);
}

const migrationsFolder = path.join(__dirname, '..', 'migrations');

/** The names of the migrations of this release. */
export const knownMigrations = (): string[] =>
  readdirSync(migrationsFolder).map((file) => path.basename(file, path.extname(file)));

/**
 * Updates the schema of the database. Any number of processes may call it at the same time: one migrates, and the others wait. Returns the
 * names of the migrations that this call has run.
 */
export async function migrate(databaseUrl: string, logger: Logger): Promise<string[]> {
  // The migration library adds no error listener. Without this listener, the process would end if Postgres stops during the migration.
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', (error: Error) => logger.warn({ failure: errorName(error) }, 'a Postgres connection was lost'));
  try {
    await client.connect();
    await client.query(scopeStatement(allTenants));
    const applied = await runner({
      dbClient: client,
      dir: migrationsFolder,
      direction: 'up',
      migrationsTable: 'migrations',
      // If two processes migrate at the same time, the second waits for the first and does not fail.
      advisoryLockMode: 'wait',
      log: () => {},
      logger: {
        debug: () => {},
        info: () => {},
        warn: (text) => logger.warn(text),
        error: (text) => logger.error(text),
      },
    });
    return applied.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs `work` in one database transaction, and returns the result. If `work` throws, rolls back and throws the same error. */
export async function inTransaction<Result>(
  pool: TenantPool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  try {
    await client.query(pool.beginStatement());
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      connectionError = rollbackError;
    });
    if (hasStaleStatements(error)) connectionError = error;
    throw error;
  } finally {
    client.release(connectionError);
  }
}

/** The time limits of a pool, in milliseconds. */
export const postgresTimeouts = {
  /** During an outage, callers get a response within 2 s. The wait for a connection may take half of this time. */
  connectionMs: 1_000,
  /** Every statement reads a few rows by index, so a statement that runs for 5 s is stuck. */
  statementMs: 5_000,
  /** Longer than `statementMs`, because Postgres reports its own timeout first, if it can. */
  queryMs: 5_500,
  idleInTransactionMs: 10_000,
};
