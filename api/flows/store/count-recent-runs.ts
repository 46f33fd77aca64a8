import type { Pool } from '../../../platform/postgres/postgres';
import {
  countEndedRuns,
  countRuns,
  type EndedRunCounts,
  type TenantFlow,
  type RunCounts,
} from '../../../store/record/flow-runs.sql';

const dayMs = 86_400_000;

/**
 * Each result is cached for ten times as long as its queries took. So repeated counts with equal parameters keep one database connection
 * busy for at most about a tenth of the time.
 */
const cacheFactor = 10;

type RecentCounts = RunCounts & { since: string; ended: EndedRunCounts[] };

interface CacheEntry {
  result: Promise<RecentCounts>;
  /** Infinity while the query runs. */
  expiresAtMs: number;
}

const cacheByPool = new WeakMap<Pool, Map<string, CacheEntry>>();

/** A flow version. `steps`: the names of all its steps. */
interface CountedVersion {
  version: number;
  steps: readonly string[];
}

/**
 * Counts the runs of a flow version that started in the last `days` days, and the runs that ended in the last seven days. If there are more
 * than `countedRunsMax`, counts the newest, and `since` is later. The page of a flow requests this every few seconds, so all viewers share
 * one cached result. The cache time grows with the duration of the query.
 */
export function countRecentRuns(
  pool: Pool,
  flow: TenantFlow,
  { version, steps }: CountedVersion,
  days: number,
): Promise<RecentCounts> {
  const cache = cacheByPool.get(pool) ?? new Map<string, CacheEntry>();
  cacheByPool.set(pool, cache);
  const startedMs = Date.now();
  for (const [cacheKey, { expiresAtMs }] of cache) if (expiresAtMs <= startedMs) cache.delete(cacheKey);
  const cacheKey = JSON.stringify([flow.tenant, flow.name, version, days]);
  const cached = cache.get(cacheKey);
  if (cached) return cached.result;
  const asked = new Date(startedMs - days * dayMs);
  const entry: CacheEntry = { result: count(), expiresAtMs: Infinity };
  cache.set(cacheKey, entry);
  return entry.result;

  async function count(): Promise<RecentCounts> {
    try {
      const { since, ...counts } = await countRuns(pool, flow, { version, steps, since: asked });
      const ended = await countEndedRuns(pool, flow, version);
      const nowMs = Date.now();
      entry.expiresAtMs = nowMs + (nowMs - startedMs) * cacheFactor;
      return { since: since.toISOString(), ...counts, ended };
    } catch (error) {
      entry.expiresAtMs = 0;
      throw error;
    }
  }
}
