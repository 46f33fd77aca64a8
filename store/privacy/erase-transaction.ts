import { addAuditEntry } from '../../platform/audit';
import { deleteDataKey, findOwnersByDocument, lockErasure } from '../../platform/keys/data-keys.sql';
import { eraseAllImages } from '../../images/erase-images';
import type { TransactionKeys } from '../../platform/keys/data-keys';
import { inTransaction, type Pool } from '../../platform/postgres/postgres';
import { pageOf } from '../../platform/page';
import { eraseSends } from '../messages/sends/sent-messages.sql';
import { eraseRecord, type TenantTransaction } from '../transactions/erased-records.sql';
import type { ErasureLog } from './erasure-log';
import { hashDocument, type ObservationKey } from '../transactions/observed-values';

export interface ErasureDependencies {
  pool: Pool;
  transactionKeys: Pick<TransactionKeys, 'forget'>;
  erasureLog: Pick<ErasureLog, 'append'>;
  /** Ends the workflow of a transaction at once. Returns false and does nothing if the workflow has already ended. */
  endWorkflow: (target: TenantTransaction) => Promise<boolean>;
}

/** The answer to an erasure. The audit log also keeps who erased the transaction. */
export interface Erasure {
  transactionId: string;
  /** ISO 8601. */
  erasedAt: string;
}

/**
 * Erases all data of a transaction. First the workflow is ended. Then one database transaction removes the record and destroys the data
 * keys. So the images, the workflow history and all copies are unreadable too. The hourly retention removes the encrypted image files
 * from the image store. The erasure log gets an entry before the erasure is final, so a crash between the two leaves at most an entry of an
 * erasure that was requested. `actor`: the id of the client, `retention` or `restore`. A repeat changes nothing and returns the same time.
 * Returns undefined if there is no such transaction. If Temporal or the log is unavailable, nothing is erased, and the error is thrown.
 */
export async function eraseTransaction(
  { pool, transactionKeys, erasureLog, endWorkflow }: ErasureDependencies,
  { tenant, id }: TenantTransaction,
  actor: string,
): Promise<Erasure | undefined> {
  const owner = { tenant, owner: id };
  await endWorkflow({ tenant, id });
  const erasedAt = await inTransaction(pool, async (client) => {
    await lockErasure(client, owner);
    const erasure = await eraseRecord(client, { tenant, id });
    if (!erasure) return undefined;
    await deleteDataKey(client, { ...owner, purpose: 'transaction' });
    await eraseSends(client, tenant, id);
    await eraseAllImages(client, owner, actor);
    if (erasure.isNew) {
      await addAuditEntry(client, { ...owner, actor, action: 'transaction_erased' });
      await erasureLog.append({ tenant, id }, 'transaction');
    }
    return erasure.erasedAt.toISOString();
  });
  if (erasedAt === undefined) return undefined;
  transactionKeys.forget(owner);
  // The workflow is ended again, because a request may have started or resumed it meanwhile. From now on, a new request fails, because the
  // transaction no longer has a record. A request that is on its way can still start the workflow, also because Temporal repeats a start
  // that a termination interrupts.
  for (let ends = 0; ends < endsMax && (await endWorkflow({ tenant, id })); ends += 1);
  setTimeout(() => void endWorkflow({ tenant, id }).catch(() => undefined), slowestRequestMs).unref();
  return { transactionId: id, erasedAt };
}

/** More starts than requests of one transaction that run at the same time. */
const endsMax = 10;

/**
 * No request takes longer. If this process ends before, a worker ends the workflow as soon as the workflow saves, assesses or reads
 * anything.
 */
const slowestRequestMs = 6_000;

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
  const { rows, last } = pageOf(found, limit);
  return { transactions: rows.map(({ owner, createdAt }) => ({ id: owner, createdAt })), more: last !== undefined };
}
