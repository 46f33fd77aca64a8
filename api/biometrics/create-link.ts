import type { BiometricsProposal, LinkSend } from '../../domain/biometrics/biometrics';
import { biometricsPath, biometricsToken, hashBiometricsToken } from '../../messages/links';
import { requestBiometrics } from '../../workflows/contract/commands';
import { createIdProposer } from '../transactions/proposed-ids';
import { type ApiRoute, type Handler, transactionPath as transaction, withBody } from '../http/route';
import { requesterOf } from '../http/caller-site';
import { type Target, throwAsProblem } from '../transactions/transactions';
import { languagesOf } from '../confirmations/send-confirmation';
import type { Brand } from '../../domain/brand/brand';
import { z } from 'zod';
import { named, sample, sensitive, utcTime } from '../http/openapi/schema-of';
import { birthdate, date, returnUrl, text, timeWithOffset } from '../http/body/fields';
import type { PageRequester } from '../../domain/transactions/input';
import type { Needs } from '../dependencies';
import { fillLinkMessages } from '../../domain/biometrics/messages';
import { type TextChannel, textChannels } from '../../domain/confirmations/settings';
import { biometricsDecisionTexts, biometricsLinkMessages } from '../../flows/biometrics-link';

/** The field of `mfaStatus` for each channel. */
const mfaStatusFields = { sms: 'smsStatus', email: 'emailStatus', whatsapp: 'whatsappStatus' } as const;

/**
 * Returns `mfaStatus` of SPEC: the status of the message on each channel. A message that the service still tries to send counts as
 * `Failed`.
 */
const mfaStatusOf = (sends: readonly LinkSend[]) =>
  Object.fromEntries(
    sends.map(({ channel, state }) => [mfaStatusFields[channel], state === 'accepted' ? 'Sent' : 'Failed']),
  );

/** POST …/biometrics: creates a link and sends it. If the body has no channels, uses the channels of the tenant's settings. */
export const createBiometricsLink: Handler<
  'biometricsSettings' | 'brands' | 'clientAddresses' | 'config' | 'keys' | 'transactions',
  BiometricsBody
> = async ({ dependencies, tenant, clientId, id, body, idempotencyKey }) => {
  const target = { tenant, id };
  const requester = await requesterOf(dependencies, clientId, body.returnUrl);
  const proposal = linkProposalOf(
    dependencies,
    target,
    body,
    createIdProposer(dependencies.keys, target, idempotencyKey)('link'),
    requester,
    await dependencies.brands.of(tenant),
  );
  const { name, birthdate, identifierDate: requestedDate, channels } = proposal;
  const pendingLink = dependencies.transactions.send(target, requestBiometrics, {
    input: proposal,
    identity: [name, birthdate, requestedDate, channels, requester.returnUrl],
    idempotencyKey,
  });
  const { id: biometricsId, identifierDate, createdAt, sends } = await throwAsProblem(pendingLink);
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  const url = new URL(path, dependencies.config.PUBLIC_URL).href;
  const mfaStatus = sends.length > 0 ? { mfaStatus: mfaStatusOf(sends) } : {};
  return { status: 201, body: { id: biometricsId, url, identifierDate, createdAt, ...mfaStatus } };
};

/** A date as YYYY-MM-DD. From an ISO 8601 instant, only the date is kept. */
const birthdateOrInstant = z
  .union([timeWithOffset.transform((given) => given.slice(0, 10)), date], {
    error: 'must be a real date as YYYY-MM-DD, or an ISO 8601 instant',
  })
  .pipe(birthdate);

/** The body of POST …/biometrics. All fields can be missing or null. `channels` and `returnUrl` are not in SPEC. */
export const biometricsBody = named(
  'BiometricsRequest',
  z.strictObject(
    {
      name: text(200).nullish(),
      birthdate: birthdateOrInstant.nullish(),
      identifierDate: timeWithOffset.nullish(),
      channels: z
        .array(z.enum(textChannels, 'must be sms, email or whatsapp'), 'must be a list')
        .max(3, 'must have at most 3 channels')
        .refine((given) => new Set(given).size === given.length, 'must name each channel once')
        .meta({ uniqueItems: true })
        .nullish(),
      returnUrl,
    },
    'must be an object',
  ),
).default({});

export type BiometricsBody = z.output<typeof biometricsBody>;

/** Returns the input of a request for a biometrics link. If the body has no channels, uses the channels of the tenant's settings. */
export function linkProposalOf(
  dependencies: Needs<'keys' | 'config' | 'biometricsSettings'>,
  { tenant, id: transactionId }: Target,
  body: Omit<BiometricsBody, 'returnUrl'>,
  biometricsId: string,
  requester: PageRequester,
  brand: Brand,
): BiometricsProposal {
  const { keys, config } = dependencies;
  const { linkSeconds, imageDays, facePolicy, ...settings } = dependencies.biometricsSettings(tenant);
  const channels = body.channels ?? settings.channels;
  const { name, birthdate, identifierDate } = body;
  return {
    biometricsId,
    requester,
    tokenHash: hashBiometricsToken(biometricsToken(keys, { tenant, transactionId, biometricsId })),
    expiresAfterMs: linkSeconds * 1_000,
    ...languagesOf(brand),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof birthdate === 'string' ? { birthdate } : {}),
    ...(typeof identifierDate === 'string' ? { identifierDate } : {}),
    channels,
    ...linkTexts(brand, channels, linkSeconds),
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    imageDays,
    ...(facePolicy ? { facePolicy } : {}),
  };
}

const hourSeconds = 3_600;

/** Returns texts by channel: `messages` have the link, `decisionTexts` are sent after the decision. `brand`: what mails show. */
export function linkTexts(
  { name: brand, mail }: Brand,
  channels: readonly TextChannel[],
  linkSeconds: number,
): Pick<BiometricsProposal, 'messages' | 'decisionTexts' | 'brand'> {
  const pickChannels = <Texts>(texts: Record<TextChannel, Texts>): Partial<Record<TextChannel, Texts>> =>
    Object.fromEntries(channels.map((channel) => [channel, texts[channel]]));
  const hours = Math.floor(linkSeconds / hourSeconds);
  return {
    messages: pickChannels(fillLinkMessages(biometricsLinkMessages, { brand, hours })),
    decisionTexts: pickChannels(fillLinkMessages(biometricsDecisionTexts, { brand, hours })),
    ...(mail && channels.includes('email') ? { brand: mail } : {}),
  };
}

const sendStatus = named('LinkSendStatus', z.enum(['Sent', 'Failed']));

export const biometricsLink = named(
  'BiometricsLink',
  z.strictObject({
    id: z.uuid(),
    url: sensitive(z.url(), 'biometrics:link'),
    identifierDate: timeWithOffset,
    createdAt: utcTime,
    mfaStatus: z
      .strictObject({
        smsStatus: sendStatus.optional(),
        emailStatus: sendStatus.optional(),
        whatsappStatus: sendStatus.optional(),
      })
      .optional(),
  }),
  {
    id: sample.biometricsId,
    url: 'https://verify.example.com/biometrics/m3Yq8oVb2Rk5tNw1xCz7uJd4fHs6gLp9aEiKyTnXvQ0',
    identifierDate: '2026-01-31T12:00:00.000Z',
    createdAt: '2026-01-31T12:00:00.000Z',
    mfaStatus: { smsStatus: 'Sent' },
  },
);

/** Creating a link, as in SPEC. */
export const linkRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createBiometricsLink',
    method: 'post',
    path: `${transaction}/biometrics`,
    scope: 'biometrics:link',
    summary: 'Create a link to the hosted page for images. If the previous link is open, it is canceled',
    body: () => biometricsBody,
    example: { channels: ['sms'] },
    responses: { 201: biometricsLink },
    provides: { reviewId: '$response.body#/id' },
    problems: [
      'return_url_not_allowed',
      'idempotency_conflict',
      'biometrics_in_review',
      'link_limit_reached',
      'resend_too_soon',
      'transaction_denied',
      'flow_running',
    ],
    handler: createBiometricsLink,
  }),
];
