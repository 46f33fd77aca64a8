import type { Request } from 'express';
import { opensWithoutSignIn } from '../../../../api/flows/page/open-session';
import type { Dependencies } from '../../../../api/dependencies';
import { FlowWorld } from '../flow-world';
import { localSettings } from './flows-page-world';

const local = { environment: 'local', publicUrl: 'http://127.0.0.1:3000', from: '127.0.0.1', host: '127.0.0.1:3000' };

function isOpen({ environment, publicUrl, from, host }: Partial<typeof local>): boolean {
  const dependencies = { config: { COUNTERSIGN_ENV: environment, PUBLIC_URL: publicUrl } } as Dependencies;
  return opensWithoutSignIn(dependencies, { socket: { remoteAddress: from }, get: () => host } as unknown as Request);
}

it.each([
  {},
  { host: 'localhost:3000' },
  { from: '::1', host: '[::1]:3000' },
  { from: '::ffff:127.0.0.1' },
  { publicUrl: 'http://localhost:4000' },
])('is open on the local machine: %j', (changed) => {
  expect(isOpen({ ...local, ...changed })).toBe(true);
});

it.each([
  { environment: 'production' },
  { environment: 'homologation' },
  { publicUrl: 'https://verify.example.com' },
  { from: '192.168.1.7' },
  { from: undefined },
  { host: 'rebound.example.com:3000' },
  { host: '127.0.0.1.example.com' },
  { host: undefined },
  { host: '' },
])('is closed otherwise: %j', (changed) => {
  expect(isOpen({ ...local, ...(changed as Partial<typeof local>) })).toBe(false);
});

it('returns a read-only token of the tenant local', async () => {
  const world = await FlowWorld.open(localSettings);
  const { body, headers } = await world.api.request('/flows/session', { token: null });
  const { token } = body as { token: string };
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(await world.api.dependencies.accessTokens.verify(token)).toMatchObject({
    tenant: 'local',
    scopes: ['flows:read', 'transaction:read'],
  });
  const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    number
  >;
  expect((exp ?? 0) - (iat ?? 0)).toBe(900);
  expect((await world.get('/v1/flows', { token })).status).toBe(200);
  expect((await world.put('mine', {}, { token })).status).toBe(403);
  await world.close();
}, 60_000);

it('returns no token if PUBLIC_URL is not local', async () => {
  const world = await FlowWorld.open();
  expect((await world.api.request('/flows/session', { token: null })).body).toMatchObject({ code: 'not_found' });
  expect((await world.api.request('/flows', { token: null })).body).not.toContain('data-open');
  await world.close();
}, 60_000);
