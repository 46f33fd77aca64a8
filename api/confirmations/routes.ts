import { z } from 'zod';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import { confirmations } from '../../flows/confirmations';
import { askFor, validateToken, readMessages, readEmailToken, readWhatsapp } from './confirmations';
import type { ProblemCode } from '../http/problems';
import { type ApiRoute, transactionPath, withBody, transactionPath as transaction } from '../http/route';
import * as answers from './answers';
import { valueBody } from '../http/body/value-body';

/** The flow whose rows stand at a path. Fails at load when there is none. */
export const flowAt = (path: string): ConfirmationSettings => {
  const flow = confirmations.find((candidate) => candidate.path === path);
  if (!flow) throw new Error(`No flow has the path ${path}.`);
  return flow;
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
export const ask = (flow: ConfirmationSettings): ApiRoute => ({
  method: 'post',
  path: `${transactionPath}/${flow.path}`,
  scope: 'confirmation:send',
  summary: `Ask the person by ${flow.name}, or ask again`,
  answers: { 201: sentAnswers[flow.kind][flow.channel] },
  problems: [
    ...(flow.channel === 'email' ? mailProblems : phoneProblems),
    ...(flow.kind === 'token' ? ['attempt_limit_reached' as const] : []),
  ],
  handler: askFor(flow),
});

/** The row that tries a value on the newest token of a flow. */
export const validate = (flow: ConfirmationSettings): ApiRoute =>
  withBody({
    method: 'post',
    path: `${transactionPath}/${flow.path}/validate`,
    scope: 'confirmation:validate',
    summary: `Try a value on the newest ${flow.name}; \`status\` tells the outcome`,
    body: () => valueBody,
    answers: { 200: flow.channel === 'email' ? answers.emailTokenTried : answers.smsTokenTried },
    problems: ['token_not_found', 'idempotency_conflict'],
    sends: ['X-Attempts-Remaining'],
    handler: validateToken(flow),
  });

/** The confirmations of SPEC. */
export const confirmationRoutes: readonly ApiRoute[] = [
  ask(flowAt('sms/tokens')),
  validate(flowAt('sms/tokens')),
  {
    method: 'get',
    path: `${transaction}/sms/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the SMS second factors, newest first',
    answers: { 200: z.array(answers.smsMessage) },
    sends: ['X-Countersign-Source'],
    handler: readMessages('smsMessages'),
  },
  ask(flowAt('emails/tokens')),
  {
    method: 'get',
    path: `${transaction}/emails/tokens`,
    scope: 'transaction:read',
    summary: 'The newest e-mail token',
    answers: { 200: answers.emailTokenRead },
    problems: ['token_not_found'],
    sends: ['X-Countersign-Source'],
    handler: readEmailToken,
  },
  ask(flowAt('emails/2fa')),
  {
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the e-mail second factors, newest first',
    answers: { 200: z.array(answers.emailMessage) },
    sends: ['X-Countersign-Source'],
    handler: readMessages('emailMessages'),
  },
  {
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'Status log of the WhatsApp second factors, newest first',
    answers: { 200: z.array(answers.whatsappMessage), 204: 'None was ever asked for' },
    sends: ['X-Countersign-Source'],
    handler: readWhatsapp,
  },
];

const isSpecified = (row: ApiRoute) =>
  confirmationRoutes.some(({ method, path }) => method === row.method && path === row.path);

/** What the registry has beyond SPEC: a new flow file is enough to get its rows. */
export const furtherConfirmations = confirmations
  .flatMap((flow) => [ask(flow), ...(flow.kind === 'token' ? [validate(flow)] : [])])
  .filter((row) => !isSpecified(row));
