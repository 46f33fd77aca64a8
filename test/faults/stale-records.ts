import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toView } from '../../domain/transactions/views';
import { findState } from '../../store/transactions/transactions.sql';
import { type ChaosWorld, tenant } from './chaos-world';

/** On a busy machine, the worker that corrects stale records starts slowly. */
const timeoutMs = 30_000;

async function isStale(world: ChaosWorld, transactionId: string): Promise<boolean> {
  const at = new Date().toISOString();
  const state = await findState(world.pool, world.keys, { tenant, id: transactionId });
  return !isDeepStrictEqual(state && toView(state, at), await world.queryView(transactionId, at));
}

/**
 * Waits at most 30 s until each record has been equal to the view of its workflow at least once. Returns the duration, and the ids of the
 * transactions whose record was never equal to the view.
 */
export async function waitForCurrentRecords(
  world: ChaosWorld,
  transactionIds: readonly string[],
): Promise<{ ms: number; staleIds: string[] }> {
  const startedAt = Date.now();
  let staleIds = [...transactionIds];
  while (staleIds.length > 0 && Date.now() - startedAt < timeoutMs) {
    // While no worker runs, the query fails, and the record counts as stale.
    const checks = await Promise.all(staleIds.map((id) => isStale(world, id).catch(() => true)));
    staleIds = staleIds.filter((_, index) => checks[index]);
    if (staleIds.length > 0) await sleep(50);
  }
  return { ms: Date.now() - startedAt, staleIds };
}
