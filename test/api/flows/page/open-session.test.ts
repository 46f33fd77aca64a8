import type { Request } from 'express';
import { opensWithoutSignIn } from '../../../../api/http/auth/opens-without-sign-in';
import type { Dependencies } from '../../../../api/dependencies';
import { FlowWorld } from '../flow-world';
import { localSettings } from './flows-page-world';

/** A local stack, and a request from the same machine. */
const local = {
  environment: 'local',
  publicUrl: 'http://127.0.0.1:3000',
  remoteAddress: '127.0.0.1',
  host: '127.0.0.1:3000',
};

function needsNoSignIn({ environment, publicUrl, remoteAddress, host }: Partial<typeof local>): boolean {
  const dependencies = { config: { COUNTERSIGN_ENV: environment, PUBLIC_URL: publicUrl } } as Dependencies;
  return opensWithoutSignIn(dependencies, { socket: { remoteAddress }, get: () => host } as unknown as Request);
}

it.each([
  {},
  { host: 'localhost:3000' },
  { remoteAddress: '::1', host: '[::1]:3000' },
  { remoteAddress: '::ffff:127.0.0.1' },
  { publicUrl: 'http://localhost:4000' },
])('the flows page needs no sign-in on the local machine: %j', (changed) => {
  expect(needsNoSignIn({ ...local, ...changed })).toBe(true);
});

it.each([
  { environment: 'production' },
  { environment: 'homologation' },
  { publicUrl: 'https://verify.example.com' },
  { remoteAddress: '192.168.1.7' },
  { remoteAddress: undefined },
  { host: 'rebound.example.com:3000' },
  { host: '127.0.0.1.example.com' },
  { host: undefined },
  { host: '' },
])('the flows page needs a sign-in if one part of the settings or the request is not local: %j', (changed) => {
  expect(needsNoSignIn({ ...local, ...(changed as Partial<typeof local>) })).toBe(false);
});

describe('GET /flows/session', () => {
  let world: FlowWorld;
  afterEach(() => world.close());

  it('GET /flows/session returns an access token for flows of the tenant local, which expires after 15 minutes', async () => {
    world = await FlowWorld.open(localSettings);
    const { body, headers } = await world.api.request('/flows/session', { token: null });
    const { token } = body as { token: string };
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(await world.api.dependencies.accessTokens.verify(token)).toMatchObject({
      tenant: 'local',
      scopes: ['flows:read', 'flows:write', 'transaction:read'],
    });
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      number
    >;
    expect((exp ?? 0) - (iat ?? 0)).toBe(900);
    expect((await world.get('/v1/flows', { token })).status).toBe(200);
    expect((await world.put('mine', {}, { token })).status).toBe(422);
    expect((await world.api.request('/v1/transactions', { token })).status).toBe(200);
    expect((await world.api.request('/v1/webhooks', { token })).status).toBe(403);
  });

  it('GET /flows/session returns no access token if PUBLIC_URL is not local', async () => {
    world = await FlowWorld.open();
    expect((await world.api.request('/flows/session', { token: null })).body).toMatchObject({ code: 'not_found' });
    expect((await world.api.request('/flows', { token: null })).body).toContain('&quot;opensWithoutSignIn&quot;:false');
  });
});
