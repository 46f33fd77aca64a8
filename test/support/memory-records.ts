import type { Records } from '../../api/transactions/records';
import type { Target } from '../../api/transactions/transactions';
import type { TransactionState } from '../../domain/transactions/state';

const stateOf = (states: ReadonlyMap<string, TransactionState>, { tenant, id }: Target) => {
  const state = states.get(id);
  return state?.tenant === tenant ? state : undefined;
};

/** Records in memory, by the id of the transaction. There are no links. */
export const openMemoryRecords = (states: Map<string, TransactionState>): Records => ({
  create: async (state) => {
    const isNew = !states.has(state.id);
    if (isNew) states.set(state.id, state);
    return isNew;
  },
  isPersonDenied: async () => false,
  findState: async (target) => stateOf(states, target),
  findVersion: async (target) => stateOf(states, target)?.version,
  findLink: async () => undefined,
  findReviews: async () => ({ reviews: [] }),
});
