import { within } from '../../platform/deadline';
import { eachRow } from '../../platform/each-row';
import { errorName } from '../../platform/logger';
import { type Erasure, findByDocument } from '../../store/privacy/erase-transaction';
import type { Needs } from '../dependencies';
import { type ApiRoute, type Call, type Handler, transactionPath, withBody } from '../http/route';
import { z } from 'zod';
import { exampleOf, named, sample, utcTime } from '../http/openapi/schema-of';
import { documentNumber, documentType } from '../http/body/document';
import { pageBody } from '../http/page-query';
import { isOutage } from '../../platform/outage';
import { Problem } from '../http/problem';

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
  { images, logger }: Needs<'images' | 'logger'>,
  tenant: string,
  erasures: readonly Erasure[],
): Promise<void> {
  const removal = (async () => {
    for (const { transactionId } of erasures) await images.removeObjects({ tenant, owner: transactionId });
  })().catch((error: unknown) => {
    logger.warn({ failure: errorName(error) }, 'the store did not remove erased images; the retention tries again');
  });
  await within(removalWithinMs, removal, () => undefined);
}

/**
 * DELETE /v1/transaction/{id}: erases all data of a transaction. A repeat returns the time of the first erasure. Throws
 * transaction_not_found.
 */
export const eraseOne: Handler<'images' | 'logger' | 'transactions'> = async ({
  dependencies,
  tenant,
  id,
  clientId,
}) => {
  const { transactions } = dependencies;
  const erasure = await transactions.erase({ tenant, id }, clientId);
  await removeObjects(dependencies, tenant, [erasure]);
  return { status: 200, headers, body: erasure };
};

/**
 * POST /v1/privacy/erasure: erases the transactions of a document, the oldest first. A transaction that cannot be erased is skipped.
 * `complete`: whether no transaction is left.
 */
export const erasePerson: Handler<'images' | 'keys' | 'logger' | 'pool' | 'transactions', ErasureBody> = async (
  call,
) => {
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

/** The fields that say whose data is requested: the document type and number that the transactions of the person have. */
const person = { documentType, document: documentNumber };

/** The body of an export: a page of the transactions of a person. */
export const exportBody = named('ExportRequest', z.strictObject({ ...person, ...pageBody }));

export const erasureBody = named('ErasureRequest', z.strictObject(person));

export type ExportBody = z.output<typeof exportBody>;

export type ErasureBody = z.output<typeof erasureBody>;

/** How `eachRow` reports a transaction of a person that fails. During an outage, the whole request fails: the caller repeats it. */
export const reportOf = ({ tenant, dependencies: { logger } }: Pick<Call<'logger'>, 'tenant' | 'dependencies'>) => ({
  idsOf: ({ id }: { id: string }) => ({ tenant, transactionId: id }),
  logger,
  isOutage: (error: unknown) => (error instanceof Problem ? error.code === 'service_unavailable' : isOutage(error)),
});

export const at = '2026-01-31T12:00:00.000Z';

export const erasure = named('Erasure', z.strictObject({ transactionId: z.uuid(), erasedAt: utcTime }), {
  transactionId: sample.transactionId,
  erasedAt: at,
});

export const personErasure = named(
  'PersonErasure',
  z.strictObject({
    erased: z.array(erasure),
    complete: z.boolean().meta({ description: 'False: send the request again, because there are more transactions' }),
  }),
  { erased: [exampleOf(erasure)], complete: true },
);

/** Erasure and export of personal data; not in SPEC. */
export const privacyRoutes: readonly ApiRoute[] = [
  {
    operationId: 'eraseTransaction',
    method: 'delete',
    path: transactionPath,
    scope: 'privacy',
    summary: 'Erase all data of a transaction, including histories and backups',
    responses: { 200: erasure },
    handler: eraseOne,
  },
  withBody({
    operationId: 'erasePerson',
    method: 'post',
    path: '/v1/privacy/erasure',
    scope: 'privacy',
    summary: 'Erase all transactions of a document',
    body: () => erasureBody,
    example: { documentType: 'CPF', document: '11144477735' },
    responses: { 200: personErasure },
    handler: erasePerson,
  }),
];
