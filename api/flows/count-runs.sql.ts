import type { Pool } from '../../platform/postgres';
import type { FlowKey } from './flow-store.sql';

/** Runs of one version. */
export interface RunCounts {
  /** All of them. */
  runs: number;
  canceled: number;
  /** By step: runs that are at it now. Steps without any are left out. */
  here: Record<string, number>;
  /** By step: runs that have ever entered it, each once. Steps without any are left out. */
  entered: Record<string, number>;
  /** By outcome: runs that came to it. */
  outcomes: Record<string, number>;
}

const countSql = `
  with chosen as materialized (
    select status, step, outcome, path from flow_runs
    where tenant = $1 and flow = $2 and version = $3 and started_at >= $4)
  select 'status' as sort, status as name, count(*)::int as runs from chosen group by status
  union all
  select 'here', step, count(*)::int from chosen where status = 'Running' group by step
  union all
  select 'entered', entered.step, count(*)::int from chosen
    cross join lateral (select distinct entry ->> 'step' as step from json_array_elements(path) as entry) as entered
  group by entered.step
  union all
  select 'outcomes', outcome, count(*)::int from chosen where outcome is not null group by outcome
  order by sort, name`;

interface CountRow {
  sort: 'status' | 'here' | 'entered' | 'outcomes';
  name: string;
  runs: number;
}

/** Counts a tenant's runs of a version that began at an instant or later. */
export async function countRuns(
  pool: Pool,
  { tenant, name }: FlowKey,
  version: number,
  since: Date,
): Promise<RunCounts> {
  const { rows } = await pool.query<CountRow>(countSql, [tenant, name, version, since]);
  const of = (sort: CountRow['sort']) =>
    Object.fromEntries(rows.filter((row) => row.sort === sort).map((row) => [row.name, row.runs]));
  const statuses = of('status');
  const runs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const [here, entered, outcomes] = [of('here'), of('entered'), of('outcomes')];
  return { runs, canceled: statuses['Canceled'] ?? 0, here, entered, outcomes };
}
