import { findOwnersByDocument } from '../../platform/keys/data-keys.sql';
import type { Pool } from '../../platform/postgres/postgres';
import { hashDocument, type ObservationKey } from '../record/observed-values';

/** One page of a list of transactions. */
export interface TransactionPage {
  /** Oldest first. */
  transactions: { id: string; createdAt: Date }[];
  /** Whether there are more transactions after these. */
  more: boolean;
}

/**
 * The transactions of a tenant that have this document, in any spelling. Erased transactions are left out. `after`: the last
 * transaction of the previous page, with its time in ISO 8601.
 */
export async function findByDocument(
  pool: Pool,
  keys: ObservationKey,
  tenant: string,
  document: { documentType: string; document: string },
  { limit, after }: { limit: number; after?: { at: string; id: string } | undefined },
): Promise<TransactionPage> {
  const documentHash = hashDocument(keys, tenant, document);
  if (documentHash === undefined) return { transactions: [], more: false };
  const found = await findOwnersByDocument(pool, tenant, documentHash, { limit: limit + 1, ...(after && { after }) });
  const transactions = found.slice(0, limit).map(({ owner, createdAt }) => ({ id: owner, createdAt }));
  return { transactions, more: found.length > limit };
}
