import { readFileSync } from 'node:fs';
import { createAssessor } from '../../activities/assess';
import { createPostgresHistory } from '../../activities/scoring/postgres-history';
import { openPolicies } from '../../activities/scoring/policy/policies';
import { type InitialTransaction, newState } from '../../domain/state';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres';
import { benchKeys } from './bench-keys';

/** The cost of one assessment. Durations are in milliseconds, as the process waits for them. */
export interface Measurement {
  ms: number;
  roundTrips: number;
  /** Duration of the query of the graph. */
  queryMs: number;
  rows: number;
}

/** Counters of one database. */
export interface Counters {
  /** Rows of `observations` that were read through an index. */
  rowsFetched: number;
  /** Pages of `observations` and its indexes that were read, and those that were not in shared_buffers. */
  pages: number;
  pagesMissed: number;
  backendCpuMs: number;
}

const countersSql = `
  select pg_backend_pid() as pid, t.idx_tup_fetch::int as "rowsFetched",
    (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages,
    (heap_blks_read + idx_blks_read)::int as "pagesMissed"
  from pg_stat_user_tables t join pg_statio_user_tables io using (relid) where t.relname = 'observations'`;

type Query = (text: string, values?: unknown[]) => Promise<{ rowCount: number | null }>;

/** CPU time of a process in milliseconds; NaN on systems other than Linux. */
function backendCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Assesses transactions as the worker does, one at a time on one connection, and measures the cost. */
export class AssessmentMeter {
  readonly #pool: Pool;
  readonly #assess: (transaction: InitialTransaction) => Promise<unknown>;
  current: Measurement = { ms: 0, roundTrips: 0, queryMs: 0, rows: 0 };

  constructor(url: string) {
    const logger = createLogger('bench', 'warn');
    this.#pool = openPool(url, logger, 1);
    this.countQueries();
    const assess = createAssessor({
      pool: this.#pool,
      logger,
      history: createPostgresHistory(this.#pool, benchKeys),
      // Without DNS and bureau: their latency is not part of the measurement.
      mailServers: { of: () => Promise.resolve('unknown') },
      policies: openPolicies(undefined),
    });
    this.#assess = (transaction) => assess(newState(transaction));
  }

  /** Counts at the connection, where every statement passes. Each statement is one round trip. */
  countQueries(): void {
    this.#pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      const counted = (...values: unknown[]) => {
        this.current.roundTrips += 1;
        return query(...values);
      };
      Object.assign(client, { query: counted });
    });
    const query = this.#pool.query.bind(this.#pool) as unknown as Query;
    const timed: Query = async (text, values) => {
      const start = performance.now();
      const result = await query(text, values);
      if (!/^\s*insert/.test(text)) {
        this.current.queryMs += performance.now() - start;
        this.current.rows += result.rowCount ?? 0;
      }
      return result;
    };
    Object.assign(this.#pool, { query: timed });
  }

  async measure(transaction: InitialTransaction): Promise<Measurement> {
    this.current = { ms: 0, roundTrips: 0, queryMs: 0, rows: 0 };
    const start = performance.now();
    await this.#assess(transaction);
    return { ...this.current, ms: performance.now() - start };
  }

  async counters(): Promise<Counters> {
    // Postgres publishes the counters of a session with a delay.
    await this.#pool.query('select pg_stat_force_next_flush()');
    const { rows } = await this.#pool.query<Counters & { pid: number }>(countersSql);
    const [{ pid, ...counters }] = rows as [Counters & { pid: number }];
    return { ...counters, backendCpuMs: backendCpuMs(pid) };
  }

  async databaseMb(): Promise<number> {
    const { rows } = await this.#pool.query<{ mb: number }>(
      'select (pg_database_size(current_database()) / 1048576.0)::float as mb',
    );
    return rows[0]?.mb ?? 0;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
