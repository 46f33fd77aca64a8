import { errorName } from '../../platform/postgres';
import { findByDocument } from '../../store/privacy/find-by-document';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';
import type { Handler } from '../http/route';
import type { ErasureBody } from './document-body';

const headers = { 'Cache-Control': 'no-store' };

/** An erasure takes some 20 ms, so an answer takes at most some seconds. */
const erasuresMax = 100;

/** Removes the image objects of erased transactions. Nobody can read them any more, so after a failure the hourly retention removes the rest. */
async function removeObjects(
  { images, logger }: Dependencies,
  tenant: string,
  erasures: readonly Erasure[],
): Promise<void> {
  try {
    for (const { transactionId } of erasures) await images.removeObjects({ tenant, owner: transactionId });
  } catch (error) {
    logger.warn({ failure: errorName(error) }, 'the store did not remove erased images; the retention tries again');
  }
}

/** DELETE /v1/transaction/{id}: erases all data of a transaction. A repeat returns the same time. Throws transaction_not_found. */
export const eraseOne: Handler = async ({ dependencies, tenant, id, clientId }) => {
  const { transactions } = dependencies;
  // Without decrypting it: also data that nobody can read any more must be erasable.
  if (!(await transactions.exists({ tenant, id }))) throw new Problem('transaction_not_found');
  const erasure = await transactions.erase({ tenant, id }, clientId);
  await removeObjects(dependencies, tenant, [erasure]);
  return { status: 200, headers, body: erasure };
};

/** POST /v1/privacy/erasure: erases the transactions of a document, the oldest first. `complete`: none is left. */
export const erasePerson: Handler<ErasureBody> = async ({ dependencies, tenant, clientId, body }) => {
  const { pool, keys, transactions } = dependencies;
  const found = await findByDocument(pool, keys, tenant, body, { limit: erasuresMax });
  const erased: Erasure[] = [];
  for (const { id } of found.transactions) erased.push(await transactions.erase({ tenant, id }, clientId));
  await removeObjects(dependencies, tenant, erased);
  return { status: 200, headers, body: { erased, complete: !found.more } };
};
