import { createAssessor } from '../../activities/assess';
import { createPostgresHistory } from '../../activities/scoring/postgres-history';
import { openPolicies } from '../../activities/scoring/policy/policies';
import { type InitialTransaction, newState } from '../../domain/state';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres';
import { backendCpuMs } from './backend-cpu';
import { benchKeys } from './bench-keys';

/** One assessment. Spans are in milliseconds as the assessing process waits for them. */
export interface Measured {
  ms: number;
  roundTrips: number;
  /** Of the statement that looks at the graph. */
  lookMs: number;
  rows: number;
}

/** Counters of one database since its meter was opened. */
export interface Counters {
  /** Rows of sightings that were read through an index. */
  rowsFetched: number;
  /** Pages of sightings and its indexes that were asked for, and those of them that Postgres did not hold. */
  pages: number;
  pagesMissed: number;
  backendCpuMs: number;
}

const countersSql = `
  select pg_backend_pid() as pid, t.idx_tup_fetch::int as "rowsFetched",
    (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages,
    (heap_blks_read + idx_blks_read)::int as "pagesMissed"
  from pg_stat_user_tables t join pg_statio_user_tables io using (relid) where t.relname = 'sightings'`;

type Query = (text: string, values?: unknown[]) => Promise<{ rowCount: number | null }>;

/** Assesses transactions as the worker does, one after the other on one connection, and counts what it costs. */
export class AssessmentMeter {
  readonly #pool: Pool;
  readonly #assess: (transaction: InitialTransaction) => Promise<unknown>;
  #now: Measured = { ms: 0, roundTrips: 0, lookMs: 0, rows: 0 };

  constructor(url: string) {
    const logger = createLogger('bench', 'warn');
    this.#pool = openPool(url, logger, 1);
    this.#count();
    const assess = createAssessor({
      pool: this.#pool,
      logger,
      history: createPostgresHistory(this.#pool, benchKeys),
      // No DNS and no bureau: what they take is not ours.
      mailServers: { of: () => Promise.resolve('unknown') },
      policies: openPolicies(undefined),
    });
    this.#assess = (transaction) => assess(newState(transaction));
  }

  /** Counts at the connection, where nothing can pass by: each statement is one round trip. */
  #count(): void {
    this.#pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      const counted = (...given: unknown[]) => {
        this.#now.roundTrips += 1;
        return query(...given);
      };
      Object.assign(client, { query: counted });
    });
    const ask = this.#pool.query.bind(this.#pool) as unknown as Query;
    const timed: Query = async (text, values) => {
      const begun = performance.now();
      const answer = await ask(text, values);
      if (!/^\s*insert/.test(text)) {
        this.#now.lookMs += performance.now() - begun;
        this.#now.rows += answer.rowCount ?? 0;
      }
      return answer;
    };
    Object.assign(this.#pool, { query: timed });
  }

  async measure(transaction: InitialTransaction): Promise<Measured> {
    this.#now = { ms: 0, roundTrips: 0, lookMs: 0, rows: 0 };
    const begun = performance.now();
    await this.#assess(transaction);
    return { ...this.#now, ms: performance.now() - begun };
  }

  async counters(): Promise<Counters> {
    // Counts of this session are told to the others, and to itself, only now and then.
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

  end(): Promise<void> {
    return this.#pool.end();
  }
}
