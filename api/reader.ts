import type { TransactionState } from '../domain/state';
import type { Pool } from '../platform/postgres';
import type { Target } from './transactions';

/** Reads records, of one tenant only. */
export interface Reader {
  /** The last kept state of a transaction; undefined when there is no record. */
  state(target: Target): Promise<TransactionState | undefined>;
}

export function createReader(pool: Pool): Reader {
  return {
    state: async ({ tenant, id }) => {
      const { rows } = await pool.query<{ state: TransactionState }>(
        'select state from transactions where tenant = $1 and id = $2',
        [tenant, id],
      );
      return rows[0]?.state;
    },
  };
}
