import { setTimeout as pause } from 'node:timers/promises';
import { eachRow } from '../../platform/postgres/queries';
import { errorName } from '../../platform/postgres/postgres';
import { type Erasure, findByDocument } from '../../store/privacy/erase-transaction';
import type { Dependencies } from '../dependencies';
import type { Handler } from '../http/route';
import { reportOf } from './report-row';
import type { ErasureBody } from './document-body';

const headers = { 'Cache-Control': 'no-store' };

/** Maximum number of erasures in one request. An erasure takes about 20 ms, so 100 erasures usually take two seconds. */
const erasuresMax = 100;
/**
 * After this time, a request starts no more erasures, because each erasure takes up to 3 s if Temporal is slow. The caller repeats the
 * request to erase the other transactions.
 */
const erasuresWithinMs = 5_000;
/**
 * Maximum time that the response waits for the image store. Removing an object takes a few milliseconds. If the store does not answer, the
 * response need not wait longer, because nobody can read the images any more.
 */
const removalWithinMs = 2_000;

/**
 * Removes the image objects of erased transactions from the image store, one after the other until the store fails. The hourly retention
 * removes all objects that are left, even if this process stops.
 */
async function removeObjects(
  { images, logger }: Dependencies,
  tenant: string,
  erasures: readonly Erasure[],
): Promise<void> {
  const removal = (async () => {
    for (const { transactionId } of erasures) await images.removeObjects({ tenant, owner: transactionId });
  })().catch((error: unknown) => {
    logger.warn({ failure: errorName(error) }, 'the store did not remove erased images; the retention tries again');
  });
  await Promise.race([removal, pause(removalWithinMs, undefined, { ref: false })]);
}

/**
 * DELETE /v1/transaction/{id}: erases all data of a transaction. A repeat returns the time of the first erasure. Throws
 * transaction_not_found.
 */
export const eraseOne: Handler = async ({ dependencies, tenant, id, clientId }) => {
  const { transactions } = dependencies;
  const erasure = await transactions.erase({ tenant, id }, clientId);
  await removeObjects(dependencies, tenant, [erasure]);
  return { status: 200, headers, body: erasure };
};

/**
 * POST /v1/privacy/erasure: erases the transactions of a document, the oldest first. A transaction that cannot be erased is skipped.
 * `complete`: whether no transaction is left.
 */
export const erasePerson: Handler<ErasureBody> = async (call) => {
  const { dependencies, tenant, clientId, body } = call;
  const { pool, keys, transactions } = dependencies;
  const found = await findByDocument(pool, keys, tenant, body, { limit: erasuresMax });
  const erased: Erasure[] = [];
  const startedAt = performance.now();
  const eraseInTime = async ({ id }: { id: string }) => {
    if (performance.now() - startedAt > erasuresWithinMs) return;
    erased.push(await transactions.erase({ tenant, id }, clientId));
  };
  await eachRow(found.transactions, eraseInTime, { task: 'erase a person', ...reportOf(call) });
  await removeObjects(dependencies, tenant, erased);
  const complete = !found.more && erased.length === found.transactions.length;
  return { status: 200, headers, body: { erased, complete } };
};
