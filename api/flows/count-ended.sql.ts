import type { Pool } from '../../platform/postgres';
import type { FlowKey } from './flow-store.sql';

/** Runs of one version that ended on a day. */
export interface EndedOnDay {
  /** In UTC, such as 2026-03-01. */
  day: string;
  /** By outcome. Those without any are left out. */
  outcomes: Record<string, number>;
  canceled: number;
}

/** Days that are told: today and those before it. */
const daysTold = 7;
const dayMs = 86_400_000;

const dayOf = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 10);

const endedSql = `
  select asked.day, ends.* from unnest($4::text[]) as asked (day) cross join lateral (
    select status, outcome, count(*)::int as runs from flow_runs
    where tenant = $1 and flow = $2 and version = $3
      and ended_at >= (asked.day || 'T00:00:00Z')::timestamptz
      and ended_at < (asked.day || 'T00:00:00Z')::timestamptz + interval '24 hours'
    group by status, outcome) as ends`;

interface EndedRow {
  day: string;
  status: string;
  outcome: string | null;
  runs: number;
}

/** Counts a tenant's runs of a version by the day on which they ended, whenever they began: the last days, newest first. */
export async function countEnded(pool: Pool, { tenant, name }: FlowKey, version: number): Promise<EndedOnDay[]> {
  const nowMs = Date.now();
  const days = Array.from({ length: daysTold }, (_, before) => dayOf(nowMs - before * dayMs));
  const { rows } = await pool.query<EndedRow>(endedSql, [tenant, name, version, days]);
  return days.map((day) => {
    const then = rows.filter((row) => row.day === day);
    const completed = then.flatMap(({ outcome, runs }) => (outcome === null ? [] : [[outcome, runs] as const]));
    const canceled = then.find(({ status }) => status === 'Canceled')?.runs ?? 0;
    return { day, outcomes: Object.fromEntries(completed), canceled };
  });
}
