import type { TransactionView } from '../../domain/transactions/views';
import { type ApiRoute, type Call, type Handler, transactionPath as transaction } from '../http/route';
import { languageHeaders, languageOfRequest } from '../http/language';
import { readHeaders, type TransactionRead } from './transactions';
import { setTimeout as pause } from 'node:timers/promises';
import type { Language } from '../../domain/transactions/input';
import { z } from 'zod';
import { exampleOf, named, utcTime } from '../http/openapi/schema-of';
import { insight, rating, score } from '../scoring/responses';
import { tokenStatus } from '../confirmations/responses';
import { biometrics, createdAt, transactionResponse } from './transaction-response';

/** GET /v1/transaction/{id}: the data of the transaction, and whether its phone and mailbox are confirmed. */
export const readTransaction: Handler<'transactions'> = async ({ dependencies, tenant, id }) => {
  const read = await dependencies.transactions.read({ tenant, id });
  return { status: 200, headers: readHeaders(read), body: read.view.transaction };
};

/** GET …/all: the transaction with its analyses and confirmations. */
export const readAll: Handler<'config' | 'transactions'> = async (call) => {
  const language = languageOfRequest(call);
  const read = await readAssessedTransaction(call, language);
  const { transaction, scores, ratings, insights, smsToken, biometrics } = read.view;
  const body = {
    transaction: { ...transaction, complements: [] },
    scores,
    ratings,
    insights,
    ...(smsToken ? { smsToken: summarizeToken(smsToken) } : {}),
    ...(biometrics ? { biometrics } : {}),
  };
  return { status: 200, headers: { ...readHeaders(read), ...languageHeaders(language) }, body };
};

function summarizeToken({ status, type, createdAt, repliedAt }: NonNullable<TransactionView['smsToken']>) {
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}) };
}

/**
 * How long a caller waits for the first assessment (`ms`), and the pause between two reads of the transaction (`pauseMs`). Most transactions
 * have it when they are created. Otherwise, the workflow makes it within some 100 ms, and a caller who reads at once should get it.
 */
const assessmentWait = { ms: 2_000, pauseMs: 100 } as const;

/** Reads a transaction. If it has no assessment yet, waits up to 2 s for the first one. */
export async function readAssessedTransaction(
  { dependencies, tenant, id }: Call<'transactions'>,
  language?: Language,
): Promise<TransactionRead> {
  const waitUntilMs = Date.now() + assessmentWait.ms;
  for (;;) {
    const result = await dependencies.transactions.read({ tenant, id }, language);
    if (result.view.assessed || Date.now() + assessmentWait.pauseMs >= waitUntilMs) return result;
    await pause(assessmentWait.pauseMs);
  }
}

/** The response of GET …/all. `complements` is a field of SPEC that is always empty. */
export const allResponse = named(
  'TransactionDetails',
  z.strictObject({
    transaction: transactionResponse.extend({ complements: z.array(z.never()) }),
    scores: z.array(score),
    ratings: z.array(rating),
    insights: z.array(insight),
    smsToken: z
      .strictObject({ status: tokenStatus, type: z.literal('Sms'), createdAt: utcTime, repliedAt: utcTime.optional() })
      .optional(),
    biometrics: biometrics.optional(),
  }),
  {
    transaction: { ...exampleOf(transactionResponse), complements: [] },
    scores: [exampleOf(score)],
    ratings: [exampleOf(rating)],
    insights: [exampleOf(insight)],
    smsToken: { status: 'Waiting', type: 'Sms', createdAt },
  },
);

/** Reading a transaction, as in SPEC. */
export const readTransactionRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getTransaction',
    method: 'get',
    path: transaction,
    scope: 'transaction:read',
    summary: 'Get the data of the transaction',
    responses: { 200: transactionResponse },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readTransaction,
  },
  {
    operationId: 'getTransactionDetails',
    method: 'get',
    path: `${transaction}/all`,
    scope: 'transaction:read',
    summary: 'Get the transaction with its analyses and confirmations',
    responses: { 200: allResponse },
    localized: true,
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readAll,
  },
];
