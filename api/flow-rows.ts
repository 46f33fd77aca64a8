import type { ConfirmationSettings } from '../domain/confirmation-settings';
import { confirmations } from '../flows/confirmations';
import { askFor, validateToken } from './handlers/confirmations';
import type { ProblemCode } from './problems';
import { type ApiRoute, transactionPath, withBody } from './route';
import * as answers from './schemas/answers';
import { valueBody } from './schemas/value-body';

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
