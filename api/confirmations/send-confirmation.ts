import { z } from 'zod';
import { named, utcTime } from '../http/openapi/schema-of';
import { createdAt, emailMessage, expirationTime, smsMessage, tokenStatus, whatsappMessage } from './responses';
import { autofillLines, type Brand } from '../../domain/brand/brand';
import {
  type Channel,
  type ConfirmationProposal,
  type ConfirmationSettings,
  fillText,
  type MessageText,
  type TokenType,
} from '../../domain/confirmations/settings';
import { templates } from '../../flows/templates';
import { defaultPurpose, type Purpose, purposes, templateNameOf } from '../../flows/templates/purposes';
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

/** The response for a token on another channel than SMS, such as of POST …/emails/tokens. */
const tokenResponse = <Type extends TokenType>(type: Type) =>
  named(
    `${type}Token`,
    z.strictObject({
      status: tokenStatus,
      type: z.literal(type),
      createdAt: utcTime,
      expirationTime: utcTime,
    }),
    { status: 'Waiting', type, createdAt, expirationTime },
  );

/** The response of POST …/emails/tokens. */
export const emailTokenResponse = tokenResponse('Email');

/** The responses for a token, by channel. */
export const tokenResponses = {
  sms: smsTokenResponse,
  email: emailTokenResponse,
  whatsapp: tokenResponse('Whatsapp'),
  voice: tokenResponse('Voice'),
} satisfies Record<Channel, z.ZodType>;

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
  token: tokenResponses,
  // No confirmation asks a question by voice.
  secondFactor: { sms: smsMessage, whatsapp: whatsappMessage, email: emailMessage, voice: smsMessage },
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
  ...(settings.kind === 'secondFactor' ? { body: () => questionBody, example: {} } : {}),
  handler: sendConfirmation(settings),
});

/** The body of a request for a question. It may be empty. */
const questionBody = named(
  'NewQuestion',
  z.strictObject(
    {
      purpose: z
        .enum(purposes)
        .optional()
        .describe(`What the person is doing, as the question says. Default: ${defaultPurpose}.`),
    },
    'must be an object',
  ),
);

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
): Handler<'brands' | 'clientAddresses' | 'config' | 'confirmationSettings' | 'keys' | 'termsOf' | 'transactions'> {
  return async ({ dependencies, tenant, clientId, id, idempotencyKey, request, body }) => {
    const { purpose } = (body ?? {}) as z.output<typeof questionBody>;
    const returnUrl = settings.channel === 'email' ? request.get(returnUrlHeader) : undefined;
    const requester = await requesterOf(dependencies, clientId, returnUrl, returnUrlHeader);
    const proposal = confirmationProposalOf(
      dependencies,
      withPurpose(settings, purpose),
      await dependencies.termsOf({ tenant, id }),
      await dependencies.brands.of(tenant),
      createIdProposer(dependencies.keys, { tenant, id }, idempotencyKey)(`confirmation ${settings.name}`),
    );
    const pendingView = dependencies.transactions.send({ tenant, id }, requestConfirmation, {
      input: requester.returnUrl === undefined ? proposal : { ...proposal, requester },
      identity:
        purpose === undefined ? [settings.name, requester.returnUrl] : [settings.name, requester.returnUrl, purpose],
      idempotencyKey,
    });
    const view = await throwAsProblem(pendingView, settings.channel);
    return { status: 201, body: settings.kind === 'token' ? tokenBody(settings, view as TokenView) : view };
  };
}

/** Returns the settings with the text for a purpose. */
const withPurpose = (settings: ConfirmationSettings, purpose: Purpose = defaultPurpose): ConfirmationSettings => {
  const template = templates.get(templateNameOf(settings.name, purpose));
  return settings.kind === 'secondFactor' && template ? { ...settings, message: template.message } : settings;
};

/**
 * Returns the settings with the brand in all texts, and with the autofill lines in an SMS with a code. Temporal's history then shows the texts as
 * the person gets them, but without the code.
 */
export function withBrand(settings: ConfirmationSettings, { name, smsAutofill, mail }: Brand): ConfirmationSettings {
  const { channel, kind } = settings;
  const values = { brand: name };
  const lines = channel === 'sms' && kind === 'token' ? autofillLines(smsAutofill) : '';
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values) + lines,
  });
  const texts = Object.entries(settings.message).map(([language, text]) => [language, fill(text)]);
  return {
    ...settings,
    message: Object.fromEntries(texts) as Record<Language, MessageText>,
    ...(channel === 'email' && mail ? { brand: mail } : {}),
  };
}

/** The languages of a proposal: the default of the brand, and all others if the tenant has chosen them. */
export const languagesOf = ({ source, languages }: Brand): Pick<ConfirmationProposal, 'language' | 'languages'> => {
  const [language = 'en'] = languages;
  return source === 'service' ? { language } : { language, languages };
};

/** Returns the input of a confirmation request: the settings of this deployment and, for a token, the digest of its code. */
export function confirmationProposalOf(
  { config, confirmationSettings }: Needs<'config' | 'confirmationSettings'>,
  defaultSettings: ConfirmationSettings,
  terms: ConfirmationTerms,
  brand: Brand,
  confirmationId: string,
): ConfirmationProposal {
  const { message } = defaultSettings;
  const settings = terms.settingsOf({
    ...(confirmationSettings.get(defaultSettings.name) ?? defaultSettings),
    message,
  });
  return {
    confirmationId,
    settings: withBrand(settings, brand),
    ...languagesOf(brand),
    ...(settings.kind === 'token' ? { digest: terms.digestOf(confirmationId, settings) } : {}),
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}

/** How a summary names each channel. */
const channelNames = { sms: 'SMS', email: 'e-mail', whatsapp: 'WhatsApp', voice: 'voice' } as const;

/** How an `operationId` names each channel. */
const operationNames = { sms: 'Sms', email: 'Email', whatsapp: 'Whatsapp', voice: 'Voice' } as const;

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
  return settings.channel === 'sms' ? { status, createdAt, type } : { status, type, createdAt, expirationTime };
}
