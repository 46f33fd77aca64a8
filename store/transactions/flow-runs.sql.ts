import type { Pool } from '../../platform/postgres/postgres';

/** A flow and its tenant. */
export interface TenantFlow {
  tenant: string;
  name: string;
}

/** Counts of the flow runs of one flow version. */
export interface RunCounts {
  /** The number of all flow runs. */
  runs: number;
  canceled: number;
  /** For each step: how many flow runs are in it now. Steps with the count 0 are left out. */
  current: Record<string, number>;
  /** For each step: how many flow runs have entered it at least once. Steps with the count 0 are left out. */
  entered: Record<string, number>;
  /** For each outcome: how many flow runs ended with it. */
  outcomes: Record<string, number>;
}

/**
 * Counts include at most this many flow runs: the newest ones. Without a limit, the counts of a flow with millions of flow runs would take
 * longer than a statement may take.
 */
export const countedRunsMax = 50_000;

const isRunOfVersionSql = 'tenant = $1 and flow = $2 and version = $3 and started_at >= $4';

const countedSinceSql = `
  select started_at as since from flow_runs where ${isRunOfVersionSql}
  order by started_at desc offset ${countedRunsMax - 1} limit 1`;

// The paths of flow runs are long, so the steps are counted in their own table, by index.
const countSql = `
  with chosen as materialized (select status, step, outcome from flow_runs where ${isRunOfVersionSql})
  select 'status' as kind, status as name, count(*)::int as runs from chosen group by status
  union all
  select 'current', step, count(*)::int from chosen where status = 'Running' group by step
  union all
  select 'entered', wanted.step, entered.runs from unnest($5::text[]) as wanted (step) cross join lateral (
    select count(*)::int as runs from flow_run_steps where ${isRunOfVersionSql} and step = wanted.step) as entered
  where entered.runs > 0
  union all
  select 'outcomes', outcome, count(*)::int from chosen where outcome is not null group by outcome
  order by kind, name`;

interface CountRow {
  kind: 'status' | 'current' | 'entered' | 'outcomes';
  name: string;
  runs: number;
}

/**
 * Counts a tenant's flow runs of a flow version that started at the time `since` or later. If there are more than `countedRunsMax`, the
 * result has a later time as `since`, and the counts are those of this time. `steps`: the names of all steps of the version.
 */
export async function countRuns(
  pool: Pool,
  { tenant, name }: TenantFlow,
  { version, steps, since }: { version: number; steps: readonly string[]; since: Date },
): Promise<RunCounts & { since: Date }> {
  const tooMany = await pool.query<{ since: Date }>(countedSinceSql, [tenant, name, version, since]);
  const countedSince = tooMany.rows[0]?.since ?? since;
  const { rows } = await pool.query<CountRow>(countSql, [tenant, name, version, countedSince, steps]);
  const countsOf = (kind: CountRow['kind']) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map((row) => [row.name, row.runs]));
  const statuses = countsOf('status');
  const runs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const [current, entered, outcomes] = [countsOf('current'), countsOf('entered'), countsOf('outcomes')];
  return { since: countedSince, runs, canceled: statuses['Canceled'] ?? 0, current, entered, outcomes };
}

/** Counts of the flow runs of one flow version that ended on one day. */
export interface EndedRunCounts {
  /** In UTC, such as 2026-03-01. */
  day: string;
  /** For each outcome: how many flow runs ended with it. Outcomes with the count 0 are left out. */
  outcomes: Record<string, number>;
  canceled: number;
}

/** For how many days ended flow runs are counted, including today. */
const daysShown = 7;
const dayMs = 86_400_000;

const dayOf = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 10);

const endedSql = `
  select asked.day, ends.* from unnest($4::text[]) as asked (day) cross join lateral (
    select status, outcome, count(*)::int as runs from (
      select status, outcome from flow_runs
      where tenant = $1 and flow = $2 and version = $3
        and ended_at >= (asked.day || 'T00:00:00Z')::timestamptz
        and ended_at < (asked.day || 'T00:00:00Z')::timestamptz + interval '24 hours'
      order by ended_at desc limit ${countedRunsMax}) as newest
    group by status, outcome) as ends`;

interface EndedRow {
  day: string;
  status: string;
  outcome: string | null;
  runs: number;
}

/**
 * Counts a tenant's flow runs of a flow version by the day on which they ended. Covers the last `daysShown` days, newest first,
 * and of each day at most the newest `countedRunsMax`.
 */
export async function countEndedRuns(
  pool: Pool,
  { tenant, name }: TenantFlow,
  version: number,
): Promise<EndedRunCounts[]> {
  const nowMs = Date.now();
  const days = Array.from({ length: daysShown }, (_, daysAgo) => dayOf(nowMs - daysAgo * dayMs));
  const { rows } = await pool.query<EndedRow>(endedSql, [tenant, name, version, days]);
  return days.map((day) => {
    const rowsOfDay = rows.filter((row) => row.day === day);
    const completed = rowsOfDay.flatMap(({ outcome, runs }) => (outcome === null ? [] : [[outcome, runs] as const]));
    const canceled = rowsOfDay.find(({ status }) => status === 'Canceled')?.runs ?? 0;
    return { day, outcomes: Object.fromEntries(completed), canceled };
  });
}

/** Which flow runs of a flow version to find. */
export type RunFilter =
  | { kind: 'all' }
  /** Flow runs that have entered the step. */
  | { kind: 'entered'; step: string }
  /** Flow runs that ended with the outcome. */
  | { kind: 'outcome'; outcome: string }
  /** Flow runs that are in the step now. */
  | { kind: 'current'; step: string }
  /** Flow runs that have not ended, whenever they started. */
  | { kind: 'running' }
  | { kind: 'completed' }
  | { kind: 'canceled' };

/** A flow run as saved in its row. */
export interface RunRow {
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

const newestSql = (where: string) => `
  select ${columns} from flow_runs as run where ${isRunOfVersionSql}${where} order by started_at desc limit $5`;

const enteredSql = `
  with newest as (
    select run_id, started_at from flow_run_steps where ${isRunOfVersionSql} and step = $6
    order by started_at desc, run_id desc limit $5)
  select ${columns} from newest join flow_runs as run on run.id = newest.run_id
  order by newest.started_at desc, newest.run_id desc`;

interface RunQuery {
  sql: string;
  extraValues: readonly unknown[];
  startedFrom?: Date;
}

function queryFor(filter: RunFilter): RunQuery {
  if (filter.kind === 'entered') return { sql: enteredSql, extraValues: [filter.step] };
  if (filter.kind === 'outcome') return { sql: newestSql(' and outcome = $6'), extraValues: [filter.outcome] };
  if (filter.kind === 'current')
    return { sql: newestSql(" and status = 'Running' and step = $6"), extraValues: [filter.step] };
  if (filter.kind === 'running')
    return { sql: newestSql(" and status = 'Running'"), extraValues: [], startedFrom: new Date(0) };
  if (filter.kind === 'completed') return { sql: newestSql(" and status = 'Completed'"), extraValues: [] };
  return { sql: newestSql(filter.kind === 'canceled' ? " and status = 'Canceled'" : ''), extraValues: [] };
}

/** A tenant's flow runs of a flow version that started at the time `since` or later, newest first. For `running`, `since` is ignored. */
export async function findRuns(
  pool: Pool,
  { tenant, name }: TenantFlow,
  version: number,
  { filter, since, limit }: { filter: RunFilter; since: Date; limit: number },
): Promise<RunRow[]> {
  const { sql, extraValues, startedFrom = since } = queryFor(filter);
  return (await pool.query<RunRow>(sql, [tenant, name, version, startedFrom, limit, ...extraValues])).rows;
}

/**
 * SQL: whether a flow version of tenant $1 has running flow runs, or flow runs that started in the last `daysShown` days. `name` and
 * `version` are SQL expressions. The flow names in `flow_versions` and `flow_runs` have different collations (sort orders). Without
 * `collate`, Postgres could not use the index.
 */
export const hasRecentRunsSql = (name: string, version: string) => `(
  exists (select from flow_runs
    where tenant = $1 and flow = ${name} collate "default" and version = ${version} and status = 'Running')
  or now() - interval '${daysShown} days' <= (select started_at from flow_runs
    where tenant = $1 and flow = ${name} collate "default" and version = ${version}
    order by started_at desc limit 1))`;

/** SQL: the number of running flow runs of a flow of tenant $1. Without `version`, the flow runs of all its versions count. */
export const runningRunsSql = (name: string, version?: string) => `
  (select count(*)::int from flow_runs where tenant = $1 and flow = ${name} collate "default"
    ${version === undefined ? '' : `and version = ${version}`} and status = 'Running')`;
