import type { Records } from '../../api/transactions/records';
import type { TransactionState } from '../../domain/transaction/state';

/** Records in memory, by the id of the transaction. There are no links. */
export const openMemoryRecords = (states: Map<string, TransactionState>): Records => ({
  create: async (state) => {
    const isNew = !states.has(state.id);
    if (isNew) states.set(state.id, state);
    return isNew;
  },
  findState: async ({ id }) => states.get(id),
  findVersion: async ({ id }) => states.get(id)?.version,
  findLink: async () => undefined,
  findReviews: async () => ({ reviews: [] }),
});
