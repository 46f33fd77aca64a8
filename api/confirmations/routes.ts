import { z } from 'zod';
import type { ConfirmationSettings } from '../../domain/confirmation/settings';
import { confirmations, emailSecondFactor, emailToken, smsToken } from '../../flows/confirmations';
import { createCodePageLink } from './code-page/create-link';
import {
  sendConfirmation,
  validateToken,
  readMessages,
  readEmailToken,
  readWhatsapp,
  returnUrlParameter,
} from './confirmations';
import { linkBody } from './code-page/link-body';
import type { ProblemCode } from '../http/problems';
import {
  type ApiRoute,
  transactionPath as transaction,
  type UndocumentedRoute,
  undocumentedRoute,
  withBody,
} from '../http/route';
import * as responses from './responses';
import { showCodePage, submitCode } from './code-page/code-page';
import { showPage, submitAnswer } from './page/hosted-page';
import { valueBody } from '../http/body/fields';

/** The problems of a request to send a message on any channel. */
const sendProblems: readonly ProblemCode[] = [
  'idempotency_conflict',
  'country_not_allowed',
  'destination_refused',
  'destination_opted_out',
  'provider_refused',
  'resend_too_soon',
  'send_limit_reached',
  'transaction_send_limit_reached',
  'transaction_denied',
  'flow_running',
];
const phoneProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'phone_missing',
  'destination_not_mobile',
  'phone_daily_limit',
  'tenant_daily_limit',
  'prefix_blocked',
  'phone_not_allowed',
];
const mailProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'return_url_not_allowed',
  'email_missing',
  'email_not_verified',
  'email_daily_limit',
];

const sendResponses = {
  token: { sms: responses.smsTokenResponse, whatsapp: responses.smsTokenResponse, email: responses.emailTokenResponse },
  secondFactor: { sms: responses.smsMessage, whatsapp: responses.whatsappMessage, email: responses.emailMessage },
} as const;

/** How a summary names each channel. */
const channelNames = { sms: 'SMS', email: 'e-mail', whatsapp: 'WhatsApp' } as const;
/** How an `operationId` names each channel. */
const operationNames = { sms: 'Sms', email: 'Email', whatsapp: 'Whatsapp' } as const;

/**
 * Returns two names of a confirmation. `operation`: a part of the `operationId`, such as SmsToken. `text`: a part of the summary, such as
 * "SMS token".
 */
function namesOf({ channel, kind }: ConfirmationSettings): { operation: string; text: string } {
  const [operation, text] = kind === 'token' ? ['Token', 'token'] : ['SecondFactor', 'second factor'];
  return { operation: `${operationNames[channel]}${operation}`, text: `${channelNames[channel]} ${text}` };
}

const sendRoute = (settings: ConfirmationSettings): ApiRoute => ({
  operationId: `send${namesOf(settings).operation}`,
  method: 'post',
  path: `${transaction}/${settings.path}`,
  scope: 'confirmation:send',
  summary: `Send or resend the ${namesOf(settings).text}`,
  ...(settings.channel === 'email' ? { parameters: [returnUrlParameter] } : {}),
  responses: { 201: sendResponses[settings.kind][settings.channel] },
  problems: [
    ...(settings.channel === 'email' ? mailProblems : phoneProblems),
    ...(settings.kind === 'token' ? ['attempt_limit_reached' as const] : []),
  ],
  handler: sendConfirmation(settings),
});

const validateRoute = (settings: ConfirmationSettings): ApiRoute =>
  withBody({
    operationId: `validate${namesOf(settings).operation}`,
    method: 'post',
    path: `${transaction}/${settings.path}/validate`,
    scope: 'confirmation:validate',
    summary: `Validate the code of the newest ${namesOf(settings).text}; \`status\` is the result`,
    ...valueBody,
    example: { value: '123456' },
    responses: { 200: settings.channel === 'email' ? responses.emailTokenValidation : responses.smsTokenValidation },
    problems: ['token_not_found', 'idempotency_conflict'],
    responseHeaders: ['X-Attempts-Remaining'],
    handler: validateToken(settings),
  });

const linkRoute = (settings: ConfirmationSettings): ApiRoute =>
  withBody({
    operationId: `create${namesOf(settings).operation}Link`,
    method: 'post',
    path: `${transaction}/${settings.path}/link`,
    scope: 'confirmation:validate',
    summary: `Create a link to a hosted page on which the person enters the code of the newest ${namesOf(settings).text}`,
    body: () => linkBody,
    example: {},
    responses: { 201: responses.codePageLink },
    problems: ['token_not_found', 'transaction_denied', 'return_url_not_allowed'],
    handler: createCodePageLink(settings),
  });

/** The built-in confirmations, as in SPEC. */
export const specConfirmationRoutes: readonly ApiRoute[] = [
  sendRoute(smsToken),
  validateRoute(smsToken),
  {
    operationId: 'listSmsSecondFactors',
    method: 'get',
    path: `${transaction}/sms/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the SMS second factors, newest first',
    responses: { 200: z.array(responses.smsMessage) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readMessages('smsMessages'),
  },
  sendRoute(emailToken),
  {
    operationId: 'getEmailToken',
    method: 'get',
    path: `${transaction}/emails/tokens`,
    scope: 'transaction:read',
    summary: 'Get the newest e-mail token',
    responses: { 200: responses.emailTokenDetails },
    problems: ['token_not_found'],
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readEmailToken,
  },
  sendRoute(emailSecondFactor),
  {
    operationId: 'listEmailSecondFactors',
    method: 'get',
    path: `${transaction}/emails/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the e-mail second factors, newest first',
    responses: { 200: z.array(responses.emailMessage) },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readMessages('emailMessages'),
  },
  {
    operationId: 'listWhatsappSecondFactors',
    method: 'get',
    path: `${transaction}/whatsapps/2fa`,
    scope: 'transaction:read',
    summary: 'List the statuses of the WhatsApp second factors, newest first',
    responses: { 200: z.array(responses.whatsappMessage), 204: 'No second factor was requested' },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readWhatsapp,
  },
];

const isInSpec = ({ operationId }: ApiRoute) =>
  specConfirmationRoutes.some((route) => route.operationId === operationId);

/** The routes of built-in confirmations that are not in SPEC. A new entry in `confirmations` gets its routes without other code. */
export const extraConfirmationRoutes = confirmations
  .flatMap((settings) => [
    sendRoute(settings),
    ...(settings.kind === 'token' ? [validateRoute(settings), linkRoute(settings)] : []),
  ])
  .filter((route) => !isInSpec(route));

/** The hosted page of the links in messages, and the page on which the person types a code. */
export const confirmationPages: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/confirm/{token}', showPage),
  undocumentedRoute('post', '/confirm/{token}', submitAnswer),
  undocumentedRoute('get', '/code/{token}', showCodePage),
  undocumentedRoute('post', '/code/{token}', submitCode),
];
