import { type ApiRoute, withBody, type BodySettings, transactionPath as transaction } from '../http/route';
import { flowParameters, createTransaction } from './create-transaction';
import { transactionBody, transactionBytesMax, transactionExample } from './transaction-body';
import * as responses from './responses';
import { startProblems } from '../flows/runs/start-run';
import { readTransaction, readAll } from './read-transaction';
import { listParameters, listTransactions, searchTransactions } from './list-transactions';
import { readResource } from './read-resource';
import { searchBody } from './search-body';

/** Creating and reading a transaction. */
export const transactionRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createTransaction',
    method: 'post',
    path: '/v1/transaction',
    scope: 'transaction:write',
    additionalScope: { scope: 'confirmation:send', condition: 'when a flow is named' },
    summary: 'Create a transaction, and start a flow run if a flow is named',
    parameters: flowParameters,
    responseHeaders: ['Location', 'Idempotency-Replayed', 'X-Countersign-Run'],
    body: ({ config }: BodySettings) => transactionBody(config.STRICT_DOCUMENTS),
    bodyLimits: { bytes: transactionBytesMax },
    example: transactionExample,
    responses: { 201: responses.transactionResponse },
    problems: [...startProblems, 'erased'],
    provides: { id: '$response.body#/id' },
    handler: createTransaction,
  }),
  {
    operationId: 'getTransaction',
    method: 'get',
    path: transaction,
    scope: 'transaction:read',
    summary: 'Get the data of the transaction',
    responses: { 200: responses.transactionResponse },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readTransaction,
  },
  {
    operationId: 'getTransactionDetails',
    method: 'get',
    path: `${transaction}/all`,
    scope: 'transaction:read',
    summary: 'Get the transaction with its analyses and confirmations',
    responses: { 200: responses.allResponse },
    localized: true,
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readAll,
  },
];

/** The status of a transaction, and lists; not in SPEC. */
export const extraTransactionRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getTransactionResource',
    method: 'get',
    path: '/v1/transactions/{id}',
    scope: 'transaction:read',
    summary: 'Get the transaction with its status, what it waits for, and all results',
    responses: { 200: responses.transactionResource },
    localized: true,
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readResource,
  },
  {
    operationId: 'listTransactions',
    method: 'get',
    path: '/v1/transactions',
    scope: 'transaction:read',
    summary: 'List transactions, newest first',
    parameters: listParameters,
    responses: { 200: responses.transactionList },
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
    responses: { 200: responses.transactionList },
    isLongRead: true,
    handler: searchTransactions,
  }),
];
