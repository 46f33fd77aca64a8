import { type ApiRoute, withBody, type BodySettings, transactionPath as transaction } from '../http/route';
import { flowParameters, createTransaction } from './create-transaction';
import { transactionBody, transactionExample } from './transaction-body';
import * as responses from './responses';
import { startProblems } from '../flows/runs/start-run';
import { readTransaction, readAll } from './read-transaction';

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
    summary: 'Get the transaction as it was created',
    responses: { 200: responses.transactionResponse },
    responseHeaders: ['X-Countersign-Source'],
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
    responseHeaders: ['X-Countersign-Source'],
    handler: readAll,
  },
];
