import type { Pool } from '../../../platform/postgres';
import {
  countEnded,
  countRuns,
  type EndedOnDay,
  type FlowKey,
  type RunCounts,
} from '../../../store/record/flow-runs.sql';

const dayMs = 86_400_000;

/** A result is cached for this many times the duration of its query, so that counting uses at most a tenth of a connection. */
const cacheFactor = 10;

type Counted = RunCounts & { since: string; ended: EndedOnDay[] };

interface Cached {
  counted: Promise<Counted>;
  /** Infinity while it is being counted. */
  untilMs: number;
}

const caches = new WeakMap<Pool, Map<string, Cached>>();

/**
 * Counts the runs of a version that started in the last days. The page of a flow asks every few seconds: all viewers share one
 * result, which is cached longer the longer counting takes.
 */
export function countRecently(pool: Pool, key: FlowKey, version: number, days: number): Promise<Counted> {
  const cache = caches.get(pool) ?? new Map<string, Cached>();
  caches.set(pool, cache);
  const startedMs = Date.now();
  for (const [name, { untilMs }] of cache) if (untilMs <= startedMs) cache.delete(name);
  const name = JSON.stringify([key.tenant, key.name, version, days]);
  const cached = cache.get(name);
  if (cached) return cached.counted;
  const since = new Date(startedMs - days * dayMs);
  const entry: Cached = { counted: count(), untilMs: Infinity };
  cache.set(name, entry);
  return entry.counted;

  async function count(): Promise<Counted> {
    try {
      const counts = await countRuns(pool, key, version, since);
      const ended = await countEnded(pool, key, version);
      const nowMs = Date.now();
      entry.untilMs = nowMs + (nowMs - startedMs) * cacheFactor;
      return { since: since.toISOString(), ...counts, ended };
    } catch (error) {
      entry.untilMs = 0;
      throw error;
    }
  }
}
