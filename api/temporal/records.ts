import type { TransactionState } from '../../domain/transaction/state';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import {
  createRecord,
  findState,
  findVersion,
  type NewRecordKeys,
  type RecordKeys,
} from '../../store/record/transactions.sql';
import {
  findLinkById,
  findLinkByToken,
  findLinksInReview,
  type LinkWithState,
  type ReviewPage,
} from '../../store/record/biometrics-links.sql';
import { hashDocument } from '../../store/record/observations.sql';
import type { TimePosition } from '../http/cursors';
import { Problem } from '../http/problem';
import { throwOutageOrErasureAsProblem } from './deadline';
import type { Target } from './transactions';

export type { LinkWithState };

export interface RecordsOptions {
  pool: Pool;
  keys: Pick<Keys, 'observation'>;
  transactionKeys: RecordKeys & NewRecordKeys;
  logger: Logger;
}

/**
 * Creates and reads records. A search by `tokenHash` (the hash of the token in the URL of a link) finds links of all tenants. All other methods
 * concern the records of one tenant.
 */
export interface Records {
  /** Saves the initial state of a transaction. Returns false if the transaction exists, or existed before its erasure. */
  create(state: TransactionState): Promise<boolean>;
  /** Returns the last saved state of a transaction. Undefined if there is no record. Throws DataErasedError after the erasure. */
  findState(target: Target): Promise<TransactionState | undefined>;
  /** Returns the version of the last saved state. Undefined if there is no record, or if the transaction was erased. */
  findVersion(target: Target): Promise<number | undefined>;
  /** Finds a biometrics link. Returns the state of its transaction, and the id of the link. */
  findLink(search: { tokenHash: string } | { tenant: string; id: string }): Promise<LinkWithState | undefined>;
  /** Links whose images wait for a decision, oldest first. A link whose record cannot be opened is left out and logged. */
  findReviews(tenant: string, page: { limit: number; after?: TimePosition }): Promise<ReviewPage>;
}

/** Opens the records of a database. `transactionKeys`: they encrypt the records. `logger`: for records that cannot be opened. */
export function openRecords({ pool, keys: hashKeys, transactionKeys: keys, logger }: RecordsOptions): Records {
  return {
    create: (state) => createRecord(pool, keys, state, hashDocument(hashKeys, state.tenant, state.input)),
    findState: (target) => findState(pool, keys, target),
    findVersion: (target) => findVersion(pool, target),
    findLink: (search) =>
      'tokenHash' in search
        ? findLinkByToken(pool, keys, search.tokenHash)
        : findLinkById(pool, keys, search.tenant, search.id),
    findReviews: (tenant, page) => findLinksInReview(pool, keys, logger, tenant, page),
  };
}

/** Reads the saved state of a transaction. Throws transaction_not_found, erased and service_unavailable. */
export async function readState(records: Pick<Records, 'findState'>, target: Target): Promise<TransactionState> {
  const state = await records.findState(target).catch(throwOutageOrErasureAsProblem);
  if (!state) throw new Problem('transaction_not_found');
  return state;
}
