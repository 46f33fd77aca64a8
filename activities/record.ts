import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import { inTransaction, type Pool } from '../platform/postgres';
import type { Activities } from '../workflows/ports';
import { claimGuess } from './store/guesses.sql';
import { keepState } from './store/transactions.sql';

/** Keeps records, and charges guesses in the same database transaction: both hold, or neither. */
export function createRecorder(pool: Pool, keys: Keys): Activities['recordTransaction'] {
  return async ({ state, guess }) => {
    if (!guess) {
      await keepState(pool, state);
      return { granted: true };
    }
    const { ifRefused, destination, ...claim } = guess;
    return inTransaction(pool, async (client) => {
      const granted = await claimGuess(client, { ...claim, destination: hashDestination(keys, destination) });
      await keepState(client, granted ? state : ifRefused);
      return { granted };
    });
  };
}
