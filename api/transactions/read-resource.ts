import type { ApiRoute, Handler } from '../http/route';
import { languageHeaders, languageOfRequest } from '../http/language';
import { readAssessedTransaction } from './read-transaction';
import { readHeaders } from './transactions';
import { z } from 'zod';
import { awaitedImages, awaitedMessageFields, flowRunWithoutUrl } from '../flows/runs/responses';
import { channel, exampleOf, named, sample, transactionStatus, utcTime } from '../http/openapi/schema-of';
import { insight, rating, score } from '../scoring/responses';
import { biometrics, createdAt, transactionResponse } from './transaction-response';

/** GET /v1/transactions/{id}: the transaction with its status, everything that it waits for, and all results. */
export const readResource: Handler<'config' | 'transactions'> = async (call) => {
  const language = languageOfRequest(call);
  const read = await readAssessedTransaction(call, language);
  const { status, changedAt, awaited, transaction, scores, ratings, insights, confirmations, biometrics, flowRuns } =
    read.view;
  const body = {
    id: call.id,
    status,
    createdAt: transaction['createdAt'],
    changedAt,
    awaited,
    transaction,
    scores,
    ratings,
    insights,
    confirmations,
    ...(biometrics ? { biometrics } : {}),
    flowRuns,
  };
  return { status: 200, headers: { ...readHeaders(read), ...languageHeaders(language) }, body };
};

/** The fields of a code or a question that the person has not answered. */
const pendingFields = { confirmationId: z.string(), name: z.string(), ...awaitedMessageFields };

/** What a transaction waits for. */
const awaited = z.discriminatedUnion('kind', [
  named('PendingCode', z.strictObject({ kind: z.literal('token'), ...pendingFields, attemptsLeft: z.int() })),
  named('PendingReply', z.strictObject({ kind: z.literal('reply'), ...pendingFields })),
  awaitedImages,
  named('PendingDecision', z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid() })),
]);

const confirmation = named(
  'Confirmation',
  z.strictObject({
    confirmationId: z.string(),
    name: z.string(),
    channel,
    kind: z.enum(['token', 'secondFactor']),
    status: z.string(),
    outcome: z.enum(['yes', 'no', 'neither']).optional(),
    createdAt: utcTime,
    expiresAt: utcTime,
    repliedAt: utcTime.optional(),
    reason: z.string().optional(),
  }),
);

/** The response of GET /v1/transactions/{id}. */
export const transactionResource = named(
  'TransactionResource',
  z.strictObject({
    id: z.uuid(),
    status: transactionStatus,
    createdAt: utcTime,
    changedAt: utcTime,
    awaited: z.array(awaited),
    transaction: transactionResponse,
    scores: z.array(score),
    ratings: z.array(rating),
    insights: z.array(insight),
    confirmations: z.array(confirmation),
    biometrics: biometrics.optional(),
    flowRuns: z.array(flowRunWithoutUrl),
  }),
  {
    id: sample.transactionId,
    status: 'Open',
    createdAt,
    changedAt: createdAt,
    awaited: [
      {
        kind: 'token',
        confirmationId: sample.confirmationId,
        name: 'sms-token',
        channel: 'sms',
        expiresAt: '2026-01-31T12:05:00.000Z',
        sendsLeft: 2,
        resendAt: '2026-01-31T12:01:00.000Z',
        attemptsLeft: 5,
      },
    ],
    transaction: exampleOf(transactionResponse),
    scores: [exampleOf(score)],
    ratings: [exampleOf(rating)],
    insights: [exampleOf(insight)],
    confirmations: [
      {
        confirmationId: sample.confirmationId,
        name: 'sms-token',
        channel: 'sms',
        kind: 'token',
        status: 'Waiting',
        createdAt,
        expiresAt: '2026-01-31T12:05:00.000Z',
      },
    ],
    flowRuns: [],
  },
);

/** The status of a transaction; not in SPEC. */
export const readResourceRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getTransactionResource',
    method: 'get',
    path: '/v1/transactions/{id}',
    scope: 'transaction:read',
    summary: 'Get the transaction with its status, what it waits for, and all results',
    responses: { 200: transactionResource },
    localized: true,
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readResource,
  },
];
