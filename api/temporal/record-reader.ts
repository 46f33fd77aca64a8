import type { TransactionState } from '../../domain/state';
import { findWrappedKey } from '../../platform/keys/data-keys.sql';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres';
import type { RecordKeys } from '../../store/record/sealed-state';
import {
  findLinkById,
  findLinkByToken,
  findLinksInReview,
  type LinkWithState,
  type ReviewPage,
} from '../../store/record/biometrics-links.sql';
import { findState, findVersion, hasRow } from '../../store/record/transactions.sql';
import type { TimePosition } from '../http/cursors';
import type { Target } from './transactions';

export type { LinkWithState };

/**
 * Reads records. A search by `tokenHash` (the hash of the token in the URL of a link) finds links of all tenants. All other methods read
 * the records of one tenant.
 */
export interface RecordReader {
  /** Returns the last saved state of a transaction. Undefined if there is no record. Throws DataErasedError after the erasure. */
  findState(target: Target): Promise<TransactionState | undefined>;
  /** Returns the version of the last saved state. Undefined if there is no record, or if the transaction was erased. */
  findVersion(target: Target): Promise<number | undefined>;
  /**
   * Whether a transaction exists, or existed before its erasure: it has a data key or a row, and the row stays after an erasure. Decrypts
   * nothing.
   */
  exists(target: Target): Promise<boolean>;
  /** Finds a biometrics link. Returns the state of its transaction, and the id of the link. */
  findLink(search: { tokenHash: string } | { tenant: string; id: string }): Promise<LinkWithState | undefined>;
  /** Links whose images wait for a decision, oldest first. A link whose record cannot be opened is left out and logged. */
  findReviews(tenant: string, page: { limit: number; after?: TimePosition }): Promise<ReviewPage>;
}

/** Creates a reader for the records of a database. `keys`: they decrypt the records. `logger`: for records that cannot be opened. */
export function createRecordReader(pool: Pool, keys: RecordKeys, logger: Logger): RecordReader {
  return {
    findState: (target) => findState(pool, keys, target),
    findVersion: (target) => findVersion(pool, target),
    exists: async ({ tenant, id }) =>
      (await findWrappedKey(pool, { tenant, owner: id, purpose: 'transaction' })) !== undefined ||
      hasRow(pool, { tenant, id }),
    findLink: (search) =>
      'tokenHash' in search
        ? findLinkByToken(pool, keys, search.tokenHash)
        : findLinkById(pool, keys, search.tenant, search.id),
    findReviews: (tenant, page) => findLinksInReview(pool, keys, logger, tenant, page),
  };
}
