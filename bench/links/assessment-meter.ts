import { saveObservations } from '../../store/transactions/observations.sql';
import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import { readFileSync } from 'node:fs';
import { createMailServers } from '../../scoring/evidence/email';
import { createAssessor } from '../../activities/scoring/assess';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import { openPolicies } from '../../scoring/policy/policies';
import type { InitialTransaction } from '../../domain/transactions/state';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { benchKeys } from './bench-keys';

/** The cost of one assessment. Durations are elapsed times in milliseconds. The graph query finds transactions with equal values. */
export interface AssessmentCost {
  ms: number;
  /** Number of SQL statements. Each statement is one round trip to Postgres. */
  roundTrips: number;
  /** Duration of the graph query. */
  queryMs: number;
  /** Rows that the graph query returned. */
  queryRows: number;
}

/** Counters of one database since its creation. */
export interface DatabaseCounters {
  /** Rows of `observations` that were read through an index. */
  rowsFetched: number;
  /**
   * `pages`: how many pages of `observations` and its indexes were read. `pagesMissed`: how many of them were not in shared_buffers, the
   * cache of Postgres.
   */
  pages: number;
  pagesMissed: number;
  /** CPU time of the Postgres process that serves the connection. */
  backendCpuMs: number;
}

const countersSql = `
  select pg_backend_pid() as pid, t.idx_tup_fetch::int as "rowsFetched",
    (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages,
    (heap_blks_read + idx_blks_read)::int as "pagesMissed"
  from pg_stat_user_tables t join pg_statio_user_tables io using (relid) where t.relname = 'observations'`;

type Query = (text: string, values?: unknown[]) => Promise<{ rowCount: number | null }>;

/** CPU time of a process in milliseconds; NaN on systems other than Linux. */
function readCpuMs(pid: number): number {
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
  currentCost: AssessmentCost = { ms: 0, roundTrips: 0, queryMs: 0, queryRows: 0 };

  constructor(url: string) {
    const logger = createLogger('bench', 'warn');
    this.#pool = openPool(url, logger, 1);
    this.instrumentPool();
    this.#assess = createAssessor({
      logger,
      linkGraph: createPostgresLinkGraph(this.#pool, benchKeys),
      // Without DNS and bureau: their latency is not part of the measurement.
      mailServers: createMailServers({ timeoutMs: 0 }),
      policies: openPolicies(undefined),
    });
  }

  /**
   * Replaces the function `query` of each connection and of the pool. The new `query` of a connection also counts round trips to Postgres:
   * one for each statement. The new `query` of the pool also measures the graph query: each statement that is not an insert counts as the
   * graph query.
   */
  instrumentPool(): void {
    this.#pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      const countingQuery = (...values: unknown[]) => {
        this.currentCost.roundTrips += 1;
        return query(...values);
      };
      Object.assign(client, { query: countingQuery });
    });
    const query = this.#pool.query.bind(this.#pool) as unknown as Query;
    const timedQuery: Query = async (text, values) => {
      const start = performance.now();
      const result = await query(text, values);
      if (!/^\s*insert/.test(text)) {
        this.currentCost.queryMs += performance.now() - start;
        this.currentCost.queryRows += result.rowCount ?? 0;
      }
      return result;
    };
    Object.assign(this.#pool, { query: timedQuery });
  }

  /** As in the service, the create has saved the observation before. */
  async measure(transaction: InitialTransaction): Promise<AssessmentCost> {
    await saveObservations(this.#pool, [observationOf(benchKeys, transaction, circleOfTenant(transaction.tenant))]);
    this.currentCost = { ms: 0, roundTrips: 0, queryMs: 0, queryRows: 0 };
    const start = performance.now();
    await this.#assess(transaction);
    return { ...this.currentCost, ms: performance.now() - start };
  }

  async readCounters(): Promise<DatabaseCounters> {
    // Without this statement, Postgres publishes the counters of a connection with a delay.
    await this.#pool.query('select pg_stat_force_next_flush()');
    const { rows } = await this.#pool.query<DatabaseCounters & { pid: number }>(countersSql);
    const [{ pid, ...counters }] = rows as [DatabaseCounters & { pid: number }];
    return { ...counters, backendCpuMs: readCpuMs(pid) };
  }

  async readDatabaseMb(): Promise<number> {
    const { rows } = await this.#pool.query<{ mb: number }>(
      'select (pg_database_size(current_database()) / 1048576.0)::float as mb',
    );
    return rows[0]?.mb ?? 0;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
