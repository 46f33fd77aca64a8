import type { Pool } from '../../platform/postgres';
import type { FlowKey } from './flow-store.sql';

/** Which runs of a version are looked for. Without a place: all. */
export type RunPlace =
  | { sort: 'all' }
  /** Have entered one of the steps. */
  | { sort: 'entered'; steps: readonly string[] }
  /** Are at the step now. */
  | { sort: 'here'; step: string }
  /** Go on, whenever they began. */
  | { sort: 'running' }
  | { sort: 'canceled' };

/** A run as it stands in the record. */
export interface FoundRun {
  runId: string;
  transactionId: string;
  status: 'Running' | 'Completed' | 'Canceled';
  outcome: string | null;
  startedAt: Date;
  endedAt: Date | null;
  path: readonly { step: string; exit?: string; reason?: string }[];
}

const columns = `run.id as "runId", run.transaction_id as "transactionId", run.status, run.outcome,
  run.started_at as "startedAt", run.ended_at as "endedAt", run.path`;

const of = 'tenant = $1 and flow = $2 and version = $3 and started_at >= $4';

const newest = (where: string) => `
  select ${columns} from flow_runs as run where ${of}${where} order by started_at desc limit $5`;

// The newest of each step, and of those the newest: no more is read than is shown, however many runs there are.
const enteredSql = `
  with newest as (
    select distinct there.run_id, there.started_at from unnest($6::text[]) as wanted (name) cross join lateral (
      select run_id, started_at from flow_run_steps where ${of} and step = wanted.name
      order by started_at desc, run_id desc limit $5) as there
    order by there.started_at desc, there.run_id desc limit $5)
  select ${columns} from newest join flow_runs as run on run.id = newest.run_id
  order by newest.started_at desc, newest.run_id desc`;

interface Query {
  sql: string;
  more: readonly unknown[];
  from?: Date;
}

function queryFor(place: RunPlace): Query {
  if (place.sort === 'entered') return { sql: enteredSql, more: [place.steps] };
  if (place.sort === 'here') return { sql: newest(" and status = 'Running' and step = $6"), more: [place.step] };
  if (place.sort === 'running') return { sql: newest(" and status = 'Running'"), more: [], from: new Date(0) };
  return { sql: newest(place.sort === 'canceled' ? " and status = 'Canceled'" : ''), more: [] };
}

/** A tenant's runs of a version, the newest first: those that began at an instant or later, and of `running` all. */
export async function findRuns(
  pool: Pool,
  { tenant, name }: FlowKey,
  version: number,
  { place, since, limit }: { place: RunPlace; since: Date; limit: number },
): Promise<FoundRun[]> {
  const { sql, more, from = since } = queryFor(place);
  return (await pool.query<FoundRun>(sql, [tenant, name, version, from, limit, ...more])).rows;
}
