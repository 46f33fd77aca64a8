import type { TransactionState } from '../../domain/state';
import type { Pool } from '../../platform/postgres';
import {
  findLinkById,
  findLinkByToken,
  findLinksInReview,
  type FoundLink,
  type LinkInReview,
} from '../../store/record/biometrics-links.sql';
import { findState } from '../../store/record/transactions.sql';
import type { ReviewPlace, Target } from './transactions';

export type { FoundLink };

/** Reads records, of one tenant only. */
export interface Reader {
  /** The last saved state of a transaction. Undefined without a record. */
  state(target: Target): Promise<TransactionState | undefined>;
  /** The record of the transaction that has a link, and the id of that link. */
  link(by: { tokenHash: string } | { tenant: string; id: string }): Promise<FoundLink | undefined>;
  /** Links whose images wait for a decision, oldest first. */
  reviews(tenant: string, page: { limit: number; after?: ReviewPlace }): Promise<LinkInReview[]>;
}

/** Sorts before all reviews. */
const start: ReviewPlace = { submittedAt: '-infinity', id: '' };

export function createReader(pool: Pool): Reader {
  return {
    state: (target) => findState(pool, target),
    link: (by) => ('tokenHash' in by ? findLinkByToken(pool, by.tokenHash) : findLinkById(pool, by.tenant, by.id)),
    reviews: (tenant, { limit, after = start }) => findLinksInReview(pool, tenant, { limit, after }),
  };
}
