import { z } from 'zod';
import { transactionStatuses } from '../../domain/transactions/status';
import { addAuditEntry } from '../../platform/audit';
import { pageOf } from '../../platform/page';
import {
  type ListedTransaction,
  listTransactions as findTransactions,
  type TransactionFilter,
} from '../../store/transactions/list-transactions.sql';
import { hashSearchedData, type SearchedData } from '../../store/transactions/observed-values';
import type { Needs } from '../dependencies';
import { timeCursor, timeCursorSchema, type TimePosition } from '../http/cursors';
import { pageBody, pageParameters, pageQuery, parseQuery } from '../http/page-query';
import { emailAddress, text, timeWithOffset } from '../http/body/fields';
import { type ApiRoute, type Handler, type Parameter, withBody } from '../http/route';
import { documentNumber, documentType } from '../http/body/document';
import { named, nextPage, sample, transactionStatus, utcTime } from '../http/openapi/schema-of';
import { phone } from './phone';
import { createdAt } from './transaction-response';

/**
 * A time in UTC. A time before 1970 or after 9999 becomes the nearest time in this range. Postgres rejects some times outside of the
 * range, and no transaction was created at such a time.
 */
const time = timeWithOffset.transform((given) => {
  const [first, last] = [Date.UTC(1970), Date.UTC(9999, 11, 31)];
  return new Date(Math.min(last, Math.max(first, Date.parse(given)))).toISOString();
});

const nameLengths = { minLength: 1, maxLength: 200 };

const name = text(200).min(1, 'must have 1 to 200 characters');

const listQuery = {
  ...pageQuery(timeCursorSchema),
  status: z.enum(transactionStatuses, `must be one of ${transactionStatuses.join(', ')}`).optional(),
  flow: name.optional(),
  outcome: name.optional(),
  reference: text(512).min(1, 'must have 1 to 512 characters').optional(),
  identifierId: name.optional(),
  createdFrom: time.optional(),
  createdBefore: time.optional(),
};

const queryParameter = (parameterName: string, description: string, schema = {}): Parameter => ({
  name: parameterName,
  in: 'query',
  description,
  schema: { type: 'string', ...schema },
});

export const listParameters: readonly Parameter[] = [
  queryParameter('status', 'Only this status', { enum: transactionStatuses }),
  queryParameter(
    'flow',
    'Only transactions whose current flow run is of this flow. The current flow run is the newest one that is running. If none is running, it is the newest of all',
    nameLengths,
  ),
  queryParameter('outcome', 'Only transactions whose current flow run ended with this outcome', nameLengths),
  queryParameter('reference', 'Only with this `genericFields.reference`: your own reference', {
    minLength: 1,
    maxLength: 512,
  }),
  queryParameter('identifierId', 'Only with this `identifierId`', nameLengths),
  queryParameter('createdFrom', 'Only created at this time or later', { format: 'date-time' }),
  queryParameter('createdBefore', 'Only created before this time', { format: 'date-time' }),
  ...pageParameters,
];

const toItem = ({ id, status, createdAt, changedAt, flow, flowOutcome }: ListedTransaction) => ({
  id,
  status,
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
  ...(flow === null ? {} : { flow }),
  ...(flowOutcome === null ? {} : { outcome: flowOutcome }),
});

/** Reads one page of a list, newest first, with the cursor of the next page. */
async function readPage(
  { pool }: Needs<'pool'>,
  tenant: string,
  filter: TransactionFilter,
  { limit, after }: { limit: number; after?: TimePosition | undefined },
) {
  const found = await findTransactions(pool, tenant, filter, { limit: limit + 1, after });
  const { rows: transactions, last } = pageOf(found.map(toItem), limit);
  return { transactions, ...(last && { next: timeCursor({ at: last.createdAt, id: last.id }) }) };
}

/** GET /v1/transactions: the transactions of the tenant, newest first. */
export const listTransactions: Handler<'keys' | 'pool'> = async ({ dependencies, tenant, request }) => {
  const { limit, after, reference, identifierId, ...filter } = parseQuery(request.url, listQuery);
  const hash = (data: SearchedData) => hashSearchedData(dependencies.keys, tenant, data);
  const values = [
    ...(reference === undefined ? [] : [hash({ reference })]),
    ...(identifierId === undefined ? [] : [hash({ identifierId })]),
  ];
  // A value that has only invisible characters has no hash, and no transaction has such a value.
  if (values.includes(undefined)) return { status: 200, body: { transactions: [] } };
  return {
    status: 200,
    body: await readPage(
      dependencies,
      tenant,
      { ...filter, values: values.filter((one) => one !== undefined) },
      { limit, after },
    ),
  };
};

/** POST /v1/search: the transactions of a phone, mailbox or document, newest first. Each search is written into the audit log. */
export const searchTransactions: Handler<'keys' | 'pool', SearchBody> = async ({
  dependencies,
  tenant,
  clientId,
  body,
}) => {
  const value = hashSearchedData(dependencies.keys, tenant, searchedDataOf(body));
  const page = value ? await readPage(dependencies, tenant, { values: [value] }, body) : { transactions: [] };
  await addAuditEntry(dependencies.pool, {
    tenant,
    owner: 'transactions',
    actor: clientId,
    action: 'transactions_searched',
    detail: { by: body.by, found: page.transactions.length },
  });
  return { status: 200, body: page };
};

/** What to search for. It is in a body and not in a URL, because URLs are logged. */
export const searchBody = named(
  'SearchRequest',
  z.discriminatedUnion(
    'by',
    [
      z.strictObject({ by: z.literal('document'), documentType, document: documentNumber, ...pageBody }),
      z.strictObject({ by: z.literal('phone'), phone, ...pageBody }),
      z.strictObject({ by: z.literal('email'), email: emailAddress, ...pageBody }),
    ],
    'must be document, phone or email',
  ),
);

export type SearchBody = z.output<typeof searchBody>;

/** Returns the phone, mailbox or document that a search is for. */
export function searchedDataOf(body: SearchBody): SearchedData {
  if (body.by === 'phone') return { phone: body.phone };
  if (body.by === 'email') return { email: body.email };
  return { document: { documentType: body.documentType, document: body.document } };
}

export const transactionList = named(
  'TransactionList',
  z.strictObject({
    transactions: z.array(
      z.strictObject({
        id: z.uuid(),
        status: transactionStatus,
        createdAt: utcTime,
        changedAt: utcTime,
        flow: z.string().optional(),
        outcome: z.string().optional(),
      }),
    ),
    ...nextPage,
  }),
  {
    transactions: [
      {
        id: sample.transactionId,
        status: 'Confirmed',
        createdAt,
        changedAt: '2026-01-31T12:01:30.000Z',
        flow: 'sms-token',
        outcome: 'Confirmed',
      },
    ],
  },
);

/** Lists of transactions; not in SPEC. */
export const listTransactionRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listTransactions',
    method: 'get',
    path: '/v1/transactions',
    scope: 'transaction:read',
    summary: 'List transactions, newest first',
    parameters: listParameters,
    responses: { 200: transactionList },
    problems: ['validation_failed'],
    isLongRead: true,
    handler: listTransactions,
  },
  withBody({
    operationId: 'searchTransactions',
    method: 'post',
    path: '/v1/search',
    scope: 'transaction:search',
    summary: 'List the transactions of a phone, a mailbox or a document, newest first',
    body: () => searchBody,
    example: { by: 'email', email: 'maria.silva@example.com' },
    responses: { 200: transactionList },
    isLongRead: true,
    handler: searchTransactions,
  }),
];
