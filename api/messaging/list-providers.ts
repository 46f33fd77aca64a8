import { z } from 'zod';
import { type Channel, channels } from '../../domain/confirmations/settings';
import { ownProviderPrefix } from '../../domain/providers/route';
import { readLaneHealth } from '../../store/messages/provider-health.sql';
import { readOwnMessaging } from './messaging';
import { exampleOf, named, utcTime } from '../http/openapi/schema-of';
import type { ApiRoute, Handler } from '../http/route';

const count = z.int().min(0);

const providerHealth = named(
  'ProviderHealth',
  z.strictObject({
    channel: z.enum(channels),
    provider: z.string().describe('Its name in the settings. `own/` is before the name of a provider of your tenant'),
    country: z
      .string()
      .optional()
      .describe('Dial code. Absent: e-mail, or no messages to any country in the last hour'),
    state: z
      .enum(['working', 'failing', 'slow'])
      .describe('`failing` and `slow`: messages go to the other providers of the channel first'),
    since: utcTime.optional().describe('Since when it has failed or been slow'),
    lastHour: z
      .strictObject({ accepted: count, refused: count, unknown: count })
      .describe('Requests with messages of your tenant, by their outcome'),
  }),
  {
    channel: 'sms',
    provider: 'twilio',
    country: '55',
    state: 'failing',
    since: '2026-01-31T12:00:00.000Z',
    lastHour: { accepted: 120, refused: 0, unknown: 6 },
  },
);

const providerList = named('ProviderList', z.strictObject({ providers: z.array(providerHealth) }), {
  providers: [exampleOf(providerHealth)],
});

/** GET /v1/providers: the listed providers of all channels, and what the workers know of them. */
export const getProviders: Handler<'config' | 'keys' | 'listedProviders' | 'pool'> = async ({
  dependencies,
  tenant,
}) => {
  const own: Partial<Record<Channel, { providers: { provider: string }[] } | undefined>> | undefined = (
    await readOwnMessaging(dependencies, tenant)
  )?.messaging.channels;
  const namesOf = (channel: Channel) =>
    own?.[channel]?.providers.map(({ provider }) => ownProviderPrefix + provider) ??
    dependencies.listedProviders[channel];
  const lanes = await readLaneHealth(dependencies.pool, tenant);
  const providers = channels.flatMap((channel) =>
    namesOf(channel).flatMap((provider) => {
      const known = lanes.filter((lane) => lane.channel === channel && lane.provider === provider);
      const none = { country: '', state: 'working', since: null, accepted: 0, refused: 0, unknown: 0 } as const;
      return (known.length > 0 ? known : [none]).map(({ country, state, since, accepted, refused, unknown }) => ({
        channel,
        provider,
        ...(country !== '' && { country }),
        state,
        ...(since && { since: since.toISOString() }),
        lastHour: { accepted, refused, unknown },
      }));
    }),
  );
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { providers } };
};

/** The state of the providers of messages; not in SPEC. */
export const providerHealthRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listProviders',
    method: 'get',
    path: '/v1/providers',
    scope: 'messaging:manage',
    summary: 'List the providers of messages, and whether they work',
    responses: { 200: providerList },
    problems: [],
    handler: getProviders,
  },
];
