import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toView } from '../../domain/views';
import { findState } from '../../store/record/transactions.sql';
import { type ChaosWorld, tenant } from './chaos-world';

/** The next worker corrects a record that a dead worker saved last. It starts slowly on a busy machine. */
const timeoutMs = 30_000;

async function isStale(world: ChaosWorld, transactionId: string): Promise<boolean> {
  const at = new Date().toISOString();
  const state = await findState(world.pool, { tenant, id: transactionId });
  return !isDeepStrictEqual(state && toView(state, at), await world.queryView(transactionId, at));
}

/**
 * Waits until each record has been equal to the view of its workflow. Returns the duration in ms, and the ids of transactions whose
 * record never was, within 30 s.
 */
export async function waitForCurrentRecords(
  world: ChaosWorld,
  transactionIds: readonly string[],
): Promise<{ ms: number; staleIds: string[] }> {
  const startedAt = Date.now();
  let staleIds = [...transactionIds];
  while (staleIds.length > 0 && Date.now() - startedAt < timeoutMs) {
    const stillStale: string[] = [];
    // A query fails while no worker runs.
    for (const id of staleIds) if (await isStale(world, id).catch(() => true)) stillStale.push(id);
    staleIds = stillStale;
    if (staleIds.length > 0) await sleep(50);
  }
  return { ms: Date.now() - startedAt, staleIds };
}
