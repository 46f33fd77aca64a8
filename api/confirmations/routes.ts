import { z } from 'zod';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import { confirmations } from '../../flows/confirmations';
import { sendConfirmation, validateToken, readMessages, readEmailToken, readWhatsapp } from './confirmations';
import type { ProblemCode } from '../http/problems';
import { type ApiRoute, transactionPath, withBody, transactionPath as transaction } from '../http/route';
import * as answers from './answers';
import { valueBody } from '../http/body/value-body';

/** The flow whose rows stand at a path. Fails at load when there is none. */
export const settingsAt = (path: string): ConfirmationSettings => {
  const settings = confirmations.find((candidate) => candidate.path === path);
  if (!settings) throw new Error(`No flow has the path ${path}.`);
  return settings;
};

const sendProblems: readonly ProblemCode[] = [
  'idempotency_conflict',
  'country_not_allowed',
  'destination_refused',
  'destination_opted_out',
  'provider_refused',
  'resend_too_soon',
  'send_limit_reached',
  'transaction_send_limit_reached',
  'flow_running',
];
const phoneProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'phone_missing',
  'destination_not_mobile',
  'phone_daily_limit',
];
const mailProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'email_missing',
  'email_not_verified',
  'email_daily_limit',
];

const sentAnswers = {
  token: { sms: answers.smsTokenAnswer, whatsapp: answers.smsTokenAnswer, email: answers.emailTokenAnswer },
  secondFactor: { sms: answers.smsMessage, whatsapp: answers.whatsappMessage, email: answers.emailMessage },
} as const;

/** The row that asks the person by a flow. */
export const sendRoute = (settings: ConfirmationSettings): ApiRoute => ({
  method: 'post',
  path: `${transactionPath}/${settings.path}`,
  scope: 'confirmation:send',
  summary: `Ask the person by ${settings.name}, or ask again`,
  answers: { 201: sentAnswers[settings.kind][settings.channel] },
  problems: [
    ...(settings.channel === 'email' ? mailProblems : phoneProblems),
    ...(settings.kind === 'token' ? ['attempt_limit_reached' as const] : []),
  ],
  handler: sendConfirmation(settings),
});

/** The row that tries a value on the newest token of a flow. */
export const validateRoute = (settings: ConfirmationSettings): ApiRoute =>
  withBody({
    method: 'post',
    path: `${transactionPath}/${settings.path}/validate`,
    scope: 'confirmation:validate',
    summary: `Try a value on the newest ${settings.name}; \`status\` tells the outcome`,
    body: () => valueBody,
    answers: { 200: settings.channel === 'email' ? answers.emailTokenValidated : answers.smsTokenValidated },
    problems: ['token_not_found', 'idempotency_conflict'],
    responseHeaders: ['X-Attempts-Remaining'],
    handler: validateToken(settings),
  });

/** The confirmations of SPEC. */
export const confirmationRoutes: readonly ApiRoute[] = [
  sendRoute(settingsAt('sms/tokens')),
  validateRoute(settingsAt('sms/tokens')),
  {
    method: 'get',
    path: `${transaction}/sms/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the SMS second factors, newest first',
    answers: { 200: z.array(answers.smsMessage) },
    responseHeaders: ['X-Countersign-Source'],
    handler: readMessages('smsMessages'),
  },
  sendRoute(settingsAt('emails/tokens')),
  {
    method: 'get',
    path: `${transaction}/emails/tokens`,
    scope: 'transaction:read',
    summary: 'The newest e-mail token',
    answers: { 200: answers.emailTokenRead },
    problems: ['token_not_found'],
    responseHeaders: ['X-Countersign-Source'],
    handler: readEmailToken,
  },
  sendRoute(settingsAt('emails/2fa')),
  {
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the e-mail second factors, newest first',
    answers: { 200: z.array(answers.emailMessage) },
    responseHeaders: ['X-Countersign-Source'],
    handler: readMessages('emailMessages'),
  },
  {
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the WhatsApp second factors, newest first',
    answers: { 200: z.array(answers.whatsappMessage), 204: 'No second factor was requested' },
    responseHeaders: ['X-Countersign-Source'],
    handler: readWhatsapp,
  },
];

const isSpecified = (row: ApiRoute) =>
  confirmationRoutes.some(({ method, path }) => method === row.method && path === row.path);

/** What the registry has beyond SPEC: a new flow file is enough to get its rows. */
export const furtherConfirmations = confirmations
  .flatMap((settings) => [sendRoute(settings), ...(settings.kind === 'token' ? [validateRoute(settings)] : [])])
  .filter((row) => !isSpecified(row));
