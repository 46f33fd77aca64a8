import { z } from 'zod';
import { toE164 } from '../../domain/transactions/input';
import { hashDestination } from '../../messages/codes';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { findOptOut, type OptOut, releaseOptOut } from '../../store/messages/send-blocks.sql';
import { hasMessaged } from '../../store/messages/sends/sent-messages.sql';
import { emailAddress, text } from '../http/body/fields';
import { named, utcTime } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';
import { type ApiRoute, type Call, type Handler, withBody } from '../http/route';
import { phone } from '../transactions/phone';

const scope = 'optouts:manage';

/** A phone or mailbox on a channel. It is in a body and not in a URL, because URLs are logged. */
const ofEachChannel = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.discriminatedUnion(
    'channel',
    [
      z.strictObject({ channel: z.literal('sms'), phone, ...fields }),
      z.strictObject({ channel: z.literal('whatsapp'), phone, ...fields }),
      z.strictObject({ channel: z.literal('email'), email: emailAddress, ...fields }),
    ],
    'must be sms, whatsapp or email',
  );

const searchBody = named('OptOutSearch', ofEachChannel({}));

const releaseBody = named(
  'OptOutRelease',
  ofEachChannel({
    reason: text(200)
      .min(1, 'must not be empty')
      .describe(
        'How and when the person gave consent, such as the number of a letter, or why the mailbox works again. Leave out other personal data.',
      ),
  }),
);

type SearchBody = z.output<typeof searchBody>;

const optOutStatus = named(
  'OptOut',
  z.strictObject({
    stopsMessages: z
      .boolean()
      .describe('Whether an opt-out, or a report about a mail, stops the messages of your tenant'),
    optedOutAt: utcTime
      .optional()
      .describe('When the person opted out. Absent if the person did not, or opted in again'),
    mailStop: named(
      'MailStop',
      z.strictObject({
        reason: z.enum(['bounced', 'complained']),
        cause: z
          .string()
          .describe('Enhanced status code of the bounce, such as 5.1.1, or type of the complaint, such as abuse'),
        mailedAt: utcTime.describe('When the mail was created that the report is about'),
      }),
    )
      .optional()
      .describe('The report that stops mails of all tenants to the mailbox'),
    releasedAt: utcTime.optional().describe('When your tenant released the opt-out or the mailbox'),
  }),
  { stopsMessages: true, optedOutAt: '2026-01-31T12:00:00.000Z' },
);

/** What stops messages, as callers read it. */
const toReason = ({ at, mailStop }: OptOut) =>
  mailStop
    ? { mailStop: { reason: mailStop.reason, cause: mailStop.code, mailedAt: at.toISOString() } }
    : { optedOutAt: at.toISOString() };

const headers = { 'Cache-Control': 'no-store' };

/**
 * The keyed hash of the phone or mailbox of a request. Throws destination_not_messaged if the tenant has sent it nothing: an opt-out belongs to
 * the person and not to a tenant, so nobody can look up strangers.
 */
async function findDestination({ dependencies, tenant, body }: Call<'keys' | 'pool', SearchBody>): Promise<string> {
  const { keys, pool } = dependencies;
  const destination = hashDestination(keys, body.channel === 'email' ? body.email : toE164(body.phone));
  if (!(await hasMessaged(pool, tenant, destination, body.channel))) throw new Problem('destination_not_messaged');
  return destination;
}

/** POST /v1/opt-outs/search: whether an opt-out stops the messages of the tenant to a phone or mailbox. Each search is in the audit log. */
export const searchOptOuts: Handler<'keys' | 'pool', SearchBody> = async (call) => {
  const { dependencies, tenant, clientId, body } = call;
  const { channel } = body;
  const optOut = await findOptOut(dependencies.pool, tenant, await findDestination(call), channel);
  await addAuditEntry(dependencies.pool, {
    ...{ tenant, owner: 'opt-outs', actor: clientId, action: 'opt_out_searched' },
    detail: { channel, found: optOut !== undefined },
  });
  return {
    status: 200,
    headers,
    body: {
      stopsMessages: optOut !== undefined && optOut.releasedAt === null,
      ...(optOut && toReason(optOut)),
      ...(optOut?.releasedAt && { releasedAt: optOut.releasedAt.toISOString() }),
    },
  };
};

/**
 * POST /v1/opt-outs/release: allows messages of this tenant again. Other tenants still send nothing, because consent is given to one tenant,
 * and because nobody releases a mailbox for others.
 * Throws destination_not_messaged, not_opted_out and opt_out_release_limit.
 */
export const postRelease: Handler<'keys' | 'pool', z.output<typeof releaseBody>> = async (call) => {
  const { dependencies, tenant, clientId, body } = call;
  const { channel, reason } = body;
  const destination = await findDestination(call);
  const released = await inTransaction(dependencies.pool, async (client) => {
    const optOut = await findOptOut(client, tenant, destination, channel);
    if (!optOut || optOut.releasedAt) throw new Problem('not_opted_out');
    const release = await releaseOptOut(client, tenant, { destination, channel, reason, releasedBy: clientId });
    if (release === 'limit') throw new Problem('opt_out_release_limit');
    await addAuditEntry(client, {
      ...{ tenant, owner: release.id, actor: clientId, action: 'opt_out_released', detail: { channel } },
    });
    return { ...toReason(optOut), releasedAt: release.at.toISOString() };
  });
  return { status: 200, headers, body: { stopsMessages: false, ...released } };
};

/** Opt-outs; not in SPEC. */
export const optOutRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'searchOptOuts',
    method: 'post',
    path: '/v1/opt-outs/search',
    scope,
    summary: 'Find out whether an opt-out or a bounced mail stops your messages to a phone or mailbox',
    body: () => searchBody,
    example: { channel: 'sms', phone: { countryCode: 55, areaCode: 11, number: 987654321 } },
    responses: { 200: optOutStatus },
    problems: ['destination_not_messaged'],
    handler: searchOptOuts,
  }),
  withBody({
    operationId: 'releaseOptOut',
    method: 'post',
    path: '/v1/opt-outs/release',
    scope,
    ignoresKey: true,
    summary: 'Allow messages of your tenant again, with the consent of the person',
    body: () => releaseBody,
    example: {
      ...{ channel: 'sms', phone: { countryCode: 55, areaCode: 11, number: 987654321 } },
      reason: 'consent by letter 4711 of 3 May',
    },
    responses: { 200: optOutStatus },
    problems: ['destination_not_messaged', 'not_opted_out', 'opt_out_release_limit'],
    handler: postRelease,
  }),
];
