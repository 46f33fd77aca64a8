import { z } from 'zod';
import { addAuditEntry } from '../../platform/audit';
import type { ApiConfig } from '../../platform/config';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { inTransaction } from '../../platform/postgres/postgres';
import { type OwnMessaging, ownMessagingSchema, withGatewayNames, withoutSecrets } from '../../messages/own-messaging';
import {
  deleteOwnMessaging,
  findOwnMessaging,
  openOwnMessaging,
  saveOwnMessaging,
} from '../../store/messages/own-messaging.sql';
import type { Needs } from '../dependencies';
import { named, utcTime } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';
import { type ApiRoute, type Call, type Handler, withBody } from '../http/route';

const headers = { 'Cache-Control': 'no-store' };
const owner = 'messaging';

/** The messaging settings of a tenant, with secrets. Undefined if it has none. */
export async function readOwnMessaging(
  { pool, keys, config }: Needs<'config' | 'keys' | 'pool'>,
  tenant: string,
): Promise<{ messaging: OwnMessaging; updatedAt: Date } | undefined> {
  const saved = await findOwnMessaging(pool, tenant);
  if (!saved) return undefined;
  const json = await openOwnMessaging(pool, keys.serviceKeys, tenant, saved);
  const schema = ownMessagingSchema({ isLocal: config.COUNTERSIGN_ENV === 'local' });
  return { messaging: schema.parse(json), updatedAt: saved.updatedAt };
}

/** Returns a function that reads a tenant's own providers, for their callbacks. There are none if the tenant has no settings. */
export const createOwnProviders =
  (dependencies: Needs<'config' | 'keys' | 'pool'>): Needs<'ownProvidersOf'>['ownProvidersOf'] =>
  (tenant) =>
    asTenant(tenant, async () => (await readOwnMessaging(dependencies, tenant))?.messaging.providers ?? {});

/** GET /v1/messaging: the messaging settings of the tenant, with masked secrets. Throws messaging_not_found. */
export const getMessaging: Handler<'config' | 'keys' | 'pool'> = showMessaging;

async function showMessaging({
  dependencies,
  tenant,
}: Pick<Call<'config' | 'keys' | 'pool'>, 'dependencies' | 'tenant'>) {
  const own = await readOwnMessaging(dependencies, tenant);
  if (!own) throw new Problem('messaging_not_found');
  return {
    status: 200,
    headers,
    body: { ...withoutSecrets(own.messaging), updatedAt: own.updatedAt.toISOString() },
  };
}

/** PUT /v1/messaging: replaces the messaging settings of the tenant. A repeat has the same result. */
export const putMessaging: Handler<'config' | 'keys' | 'pool', OwnMessaging> = async (call) => {
  const { dependencies, tenant, clientId, body } = call;
  await inTransaction(dependencies.pool, async (client) => {
    await saveOwnMessaging(client, dependencies.keys.serviceKeys, tenant, withGatewayNames(body));
    await addAuditEntry(client, { tenant, owner, actor: clientId, action: 'messaging_changed' });
  });
  return showMessaging(call);
};

/** DELETE /v1/messaging: the tenant uses the providers of the service again. Throws messaging_not_found. */
export const removeMessaging: Handler<'pool'> = async ({ dependencies, tenant, clientId }) => {
  await inTransaction(dependencies.pool, async (client) => {
    if (!(await deleteOwnMessaging(client, tenant))) throw new Problem('messaging_not_found');
    await addAuditEntry(client, { tenant, owner, actor: clientId, action: 'messaging_deleted' });
  });
  return { status: 204, headers };
};

const example = {
  providers: {
    mail: { kind: 'smtp' as const, url: 'smtps://user:password@mail.acme.example' },
  },
  channels: { email: { providers: [{ provider: 'mail', sender: 'Acme <no-reply@acme.example>' }] } },
};

const settings = named(
  'Messaging',
  z.looseObject({
    providers: z.record(z.string(), z.looseObject({ kind: z.string() })).describe('By name, with masked secrets'),
    channels: z.looseObject({}).describe('The providers of each channel. The others have those of the service'),
    updatedAt: utcTime,
  }),
  {
    providers: { mail: { kind: 'smtp', url: 'smtps://user:********@mail.acme.example' } },
    channels: {
      email: {
        whenUnknown: 'once',
        providers: [{ provider: 'mail', sender: 'Acme <no-reply@acme.example>', order: 1, weight: 1 }],
      },
    },
    updatedAt: '2026-01-31T12:00:00.000Z',
  },
);

/** The body of PUT /v1/messaging. */
const messagingBody = ({ COUNTERSIGN_ENV: environment }: Pick<ApiConfig, 'COUNTERSIGN_ENV'>) =>
  named('MessagingSettings', ownMessagingSchema({ isLocal: environment === 'local' }));

/** The messaging settings of a tenant; not in SPEC. */
export const messagingRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getMessaging',
    method: 'get',
    path: '/v1/messaging',
    scope: 'messaging:manage',
    summary: 'Get the providers with which your tenant sends messages itself',
    responses: { 200: settings },
    problems: ['messaging_not_found'],
    handler: getMessaging,
  },
  withBody<ReturnType<typeof messagingBody>>({
    operationId: 'putMessaging',
    method: 'put',
    path: '/v1/messaging',
    scope: 'messaging:manage',
    ignoresKey: true,
    summary: 'Replace the providers with which your tenant sends messages itself',
    body: ({ config }) => messagingBody(config),
    example,
    responses: { 200: settings },
    handler: putMessaging,
  }),
  {
    operationId: 'deleteMessaging',
    method: 'delete',
    path: '/v1/messaging',
    scope: 'messaging:manage',
    ignoresKey: true,
    summary: 'Send messages with the providers of the service again',
    responses: { 204: 'The settings are deleted' },
    problems: ['messaging_not_found'],
    handler: removeMessaging,
  },
];
