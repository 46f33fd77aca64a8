import { isDeepStrictEqual } from 'node:util';
import { toView } from '../../domain/views';
import type { TransactionState } from '../../domain/state';
import type { ChaosWorld } from './chaos-world';

/** The records of all transactions of a world at one moment. */
export interface RecordSnapshot {
  at: string;
  states: ReadonlyMap<string, TransactionState>;
}

export async function takeRecordSnapshot(world: ChaosWorld): Promise<RecordSnapshot> {
  const at = new Date().toISOString();
  const sql = 'select id, state from transactions';
  const { rows } = await world.pool.query<{ id: string; state: TransactionState }>(sql);
  return { at, states: new Map(rows.map(({ id, state }) => [id, state])) };
}

/**
 * Returns the ids of transactions whose record in the snapshot differs from the view of their workflow. A transaction that has changed
 * since then has a later record.
 */
export async function findStaleRecords(
  world: ChaosWorld,
  { at, states }: RecordSnapshot,
  transactionIds: readonly string[],
): Promise<string[]> {
  const staleIds: string[] = [];
  const latest = await takeRecordSnapshot(world);
  for (const id of transactionIds) {
    const state = states.get(id);
    const hasChanged = (latest.states.get(id)?.changedAt ?? '') > at;
    if (hasChanged || isDeepStrictEqual(state && toView(state, at), await world.queryView(id, at))) continue;
    staleIds.push(id);
  }
  return staleIds;
}
