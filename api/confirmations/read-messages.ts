import type { TransactionView } from '../../domain/transactions/views';
import { Problem } from '../http/problem';
import { type ApiRoute, type Handler, transactionPath as transaction } from '../http/route';
import { readHeaders } from '../transactions/transactions';
import { exampleOf, named, utcTime } from '../http/openapi/schema-of';
import { emailTokenResponse } from './send-confirmation';
import { z } from 'zod';
import { emailMessage, smsMessage, whatsappMessage } from './responses';

/** GET …/sms/2fa and …/emails/2fa: each status that a second factor had, newest first. */
export function readMessages(field: 'smsMessages' | 'emailMessages'): Handler<'transactions'> {
  return readField((view) => view[field]);
}

/** GET …/whatsapps/2fa: 204 if no second factor was requested on WhatsApp. */
export const readWhatsapp: Handler<'transactions'> = readField((view) => view.whatsappMessages);

/** GET …/emails/tokens: the newest e-mail token. Throws token_not_found. */
export const readEmailToken: Handler<'transactions'> = readField(({ emailToken }) => {
  if (!emailToken) throw new Problem('token_not_found');
  const { status, type, createdAt, repliedAt, expirationTime } = emailToken;
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}), expirationTime };
});

/** Creates a handler that returns one field of the view. If the field is undefined, the handler answers 204. */
function readField(fieldOf: (view: TransactionView) => unknown): Handler<'transactions'> {
  return async ({ dependencies, tenant, id }) => {
    const read = await dependencies.transactions.read({ tenant, id });
    const body = fieldOf(read.view);
    const headers = readHeaders(read);
    return body === undefined ? { status: 204, headers } : { status: 200, headers, body };
  };
}

/** The response of GET …/emails/tokens. */
export const emailTokenDetails = named(
  'EmailTokenDetails',
  emailTokenResponse.extend({ repliedAt: utcTime.optional() }),
  { ...exampleOf(emailTokenResponse), status: 'Valid', repliedAt: '2026-01-31T12:01:30.000Z' },
);

/** Reading the codes and questions of a transaction, as in SPEC. */
export const messageRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listSmsSecondFactors',
    method: 'get',
    path: `${transaction}/sms/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the SMS second factors, newest first',
    responses: { 200: z.array(smsMessage) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readMessages('smsMessages'),
  },
  {
    operationId: 'getEmailToken',
    method: 'get',
    path: `${transaction}/emails/tokens`,
    scope: 'transaction:read',
    summary: 'Get the newest e-mail token',
    responses: { 200: emailTokenDetails },
    problems: ['token_not_found'],
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readEmailToken,
  },
  {
    operationId: 'listEmailSecondFactors',
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the e-mail second factors, newest first',
    responses: { 200: z.array(emailMessage) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readMessages('emailMessages'),
  },
  {
    operationId: 'listWhatsappSecondFactors',
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the WhatsApp second factors, newest first',
    responses: { 200: z.array(whatsappMessage), 204: 'No second factor was requested' },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readWhatsapp,
  },
];
