import { z } from 'zod';
import { named, utcTime } from '../http/openapi/schema-of';
import { createdAt, emailMessage, expirationTime, smsMessage, tokenStatus, whatsappMessage } from './responses';
import {
  type ConfirmationProposal,
  type ConfirmationSettings,
  fillText,
  type MessageText,
} from '../../domain/confirmations/settings';
import type { ProblemCode } from '../http/problems';
import { type ApiRoute, type Handler, type Parameter, transactionPath as transaction } from '../http/route';
import type { TokenView } from '../../domain/transactions/views';
import { requestConfirmation } from '../../workflows/contract/commands';
import { requesterOf } from '../http/caller-site';
import { createIdProposer } from '../transactions/proposed-ids';
import { throwAsProblem } from '../transactions/transactions';
import type { Language } from '../../domain/transactions/input';
import type { ConfirmationTerms } from './terms';
import type { Needs } from '../dependencies';
import type { CodeResult } from '../../domain/confirmations/check-code';

/** The response of POST …/sms/tokens. */
export const smsTokenResponse = named(
  'SmsToken',
  z.strictObject({ status: tokenStatus, createdAt: utcTime, type: z.literal('Sms') }),
  { status: 'Waiting', createdAt, type: 'Sms' },
);

/** The response of POST …/emails/tokens. */
export const emailTokenResponse = named(
  'EmailToken',
  z.strictObject({
    status: tokenStatus,
    type: z.literal('Email'),
    createdAt: utcTime,
    expirationTime: utcTime,
  }),
  { status: 'Waiting', type: 'Email', createdAt, expirationTime },
);

/** The problems of a request to send a message on any channel. */
const sendProblems: readonly ProblemCode[] = [
  'idempotency_conflict',
  'country_not_allowed',
  'destination_refused',
  'destination_opted_out',
  'destination_denied',
  'person_denied',
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
  'no_provider',
];

const mailProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'return_url_not_allowed',
  'email_missing',
  'email_not_verified',
  'email_daily_limit',
];

const sendResponses = {
  token: { sms: smsTokenResponse, whatsapp: smsTokenResponse, email: emailTokenResponse },
  secondFactor: { sms: smsMessage, whatsapp: whatsappMessage, email: emailMessage },
} as const;

export const sendRoute = (settings: ConfirmationSettings): ApiRoute => ({
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

const returnUrlHeader = 'X-Countersign-Return-Url';

/**
 * The header with the return URL. The link in an e-mail opens a hosted page, and this page sends the person back to the return URL. The
 * return URL is not a field of the body, because these requests have no body in SPEC.
 */
export const returnUrlParameter: Parameter = {
  name: returnUrlHeader,
  in: 'header',
  description:
    'The URL to which the page sends the person back. It must begin with an allowed return URL of the client',
  schema: { type: 'string' },
};

/** Creates the handler of POST …/sms/tokens and similar paths. It sends or resends a token or second factor. */
export function sendConfirmation(
  settings: ConfirmationSettings,
): Handler<'clientAddresses' | 'config' | 'confirmationSettings' | 'keys' | 'termsOf' | 'transactions'> {
  return async ({ dependencies, tenant, clientId, id, idempotencyKey, request }) => {
    const returnUrl = settings.channel === 'email' ? request.get(returnUrlHeader) : undefined;
    const requester = await requesterOf(dependencies, clientId, returnUrl, returnUrlHeader);
    const proposal = confirmationProposalOf(
      dependencies,
      settings,
      await dependencies.termsOf({ tenant, id }),
      createIdProposer(dependencies.keys, { tenant, id }, idempotencyKey)(`confirmation ${settings.name}`),
    );
    const pendingView = dependencies.transactions.send({ tenant, id }, requestConfirmation, {
      input: requester.returnUrl === undefined ? proposal : { ...proposal, requester },
      identity: [settings.name, requester.returnUrl],
      idempotencyKey,
    });
    const view = await throwAsProblem(pendingView, settings.channel);
    return { status: 201, body: settings.kind === 'token' ? tokenBody(settings, view as TokenView) : view };
  };
}

/**
 * Returns the settings with the brand in all texts. Temporal's history then shows the texts as the person gets them, but without the code.
 */
export function withBrand(settings: ConfirmationSettings, brand: string): ConfirmationSettings {
  const values = { brand };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const texts = Object.entries(settings.message).map(([language, text]) => [language, fill(text)]);
  return { ...settings, message: Object.fromEntries(texts) as Record<Language, MessageText> };
}

/** Returns the input of a confirmation request: the settings of this deployment and, for a token, the digest of its code. */
export function confirmationProposalOf(
  { config, confirmationSettings }: Needs<'config' | 'confirmationSettings'>,
  defaultSettings: ConfirmationSettings,
  terms: ConfirmationTerms,
  confirmationId: string,
): ConfirmationProposal {
  const settings = terms.settingsOf(confirmationSettings.get(defaultSettings.name) ?? defaultSettings);
  return {
    confirmationId,
    settings: withBrand(settings, config.BRAND),
    language: config.DEFAULT_LANGUAGE,
    ...(settings.kind === 'token' ? { digest: terms.digestOf(confirmationId, settings) } : {}),
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}

/** How a summary names each channel. */
const channelNames = { sms: 'SMS', email: 'e-mail', whatsapp: 'WhatsApp' } as const;

/** How an `operationId` names each channel. */
const operationNames = { sms: 'Sms', email: 'Email', whatsapp: 'Whatsapp' } as const;

/**
 * Returns two names of a confirmation. `operation`: a part of the `operationId`, such as SmsToken. `text`: a part of the summary, such as
 * "SMS token".
 */
export function namesOf({ channel, kind }: ConfirmationSettings): { operation: string; text: string } {
  const [operation, text] = kind === 'token' ? ['Token', 'token'] : ['SecondFactor', 'second factor'];
  return { operation: `${operationNames[channel]}${operation}`, text: `${channelNames[channel]} ${text}` };
}

/** Returns the fields of a token in the order of SPEC. In SPEC, a token by SMS has no `expirationTime`. */
export function tokenBody(
  settings: ConfirmationSettings,
  {
    status,
    type,
    createdAt,
    expirationTime,
  }: Pick<CodeResult | TokenView, 'status' | 'type' | 'createdAt' | 'expirationTime'>,
) {
  return settings.channel === 'email' ? { status, type, createdAt, expirationTime } : { status, createdAt, type };
}
