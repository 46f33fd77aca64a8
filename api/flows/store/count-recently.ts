import type { Pool } from '../../../platform/postgres';
import {
  countEnded,
  countRuns,
  type EndedOnDay,
  type FlowKey,
  type RunCounts,
} from '../../../store/record/flow-runs.sql';

const dayMs = 86_400_000;

/** An answer is given again for this many times what it took, so that counting never takes more than a tenth of a connection. */
const rest = 10;

type Counted = RunCounts & { since: string; ended: EndedOnDay[] };

interface Kept {
  counted: Promise<Counted>;
  /** Not known while it is being counted. */
  untilMs: number;
}

const keptBy = new WeakMap<Pool, Map<string, Kept>>();

/**
 * Counts a tenant's runs of a version that began in the last days, with the instant since which they did. Everybody who
 * watches a flow asks every few seconds: they share one count, which is the older the longer counting takes.
 */
export function countRecently(pool: Pool, key: FlowKey, version: number, days: number): Promise<Counted> {
  const kept = keptBy.get(pool) ?? new Map<string, Kept>();
  keptBy.set(pool, kept);
  const begunMs = Date.now();
  for (const [name, { untilMs }] of kept) if (untilMs <= begunMs) kept.delete(name);
  const name = JSON.stringify([key.tenant, key.name, version, days]);
  const known = kept.get(name);
  if (known) return known.counted;
  const since = new Date(begunMs - days * dayMs);
  const entry: Kept = { counted: count(), untilMs: Infinity };
  kept.set(name, entry);
  return entry.counted;

  async function count(): Promise<Counted> {
    try {
      const counts = await countRuns(pool, key, version, since);
      const ended = await countEnded(pool, key, version);
      const nowMs = Date.now();
      entry.untilMs = nowMs + (nowMs - begunMs) * rest;
      return { since: since.toISOString(), ...counts, ended };
    } catch (error) {
      entry.untilMs = 0;
      throw error;
    }
  }
}
