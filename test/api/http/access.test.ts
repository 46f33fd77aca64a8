import { setTimeout as pause } from 'node:timers/promises';
import { createAccessTokens } from '../../../api/http/auth/access-tokens';
import { scopes } from '../../../api/http/auth/scopes';
import { routes } from '../../../api/routes';
import type { ApiRoute } from '../../../api/http/route';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { createTestSigningKeys } from '../../support/test-signing-keys';
import { ApiWorld, problemShape, publicUrl } from '../api-world';

const guardedRoutes = routes.filter((route): route is ApiRoute => route.scope !== undefined);
const unknownId = '01900000-0000-7000-8000-000000000000';

let world: ApiWorld;
let ownId: string;
beforeAll(async () => {
  world = await ApiWorld.open();
  // Flows need a database, which these tests do not have.
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => smsTokenFlow };
  ownId = (await world.createTransaction()).id;
});
afterAll(() => world.close());

function call({ method, path }: ApiRoute, id: string, token: string | null) {
  const body = /\/(validate|answer)$/.test(path) ? { value: '123456' } : undefined;
  return world.request(path.replace('{id}', id).replace('{name}', smsTokenFlow.name), {
    method: method.toUpperCase(),
    token,
    ...(body ? { body } : {}),
  });
}

test('an access token that was accepted is rejected after it expires', async () => {
  const caller = { clientId: 'c', tenant: 'local', scopes: [...scopes], clientVersion: 1 };
  const token = await world.dependencies.accessTokens.issue(caller, 2);
  const read = () => world.request(`/v1/transaction/${ownId}`, { token });
  expect((await read()).status).toBe(200);
  await pause(3_100);
  expect((await read()).status).toBe(401);
});

describe.each(guardedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  test('returns 401 with a WWW-Authenticate header without an access token', async () => {
    const response = await call(route, ownId, null);
    expect(response.body).toEqual(problemShape('unauthorized', 401));
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('returns 401 for an access token that is forged, expired, or of another environment or issuer', async () => {
    const { signingKeys } = world.dependencies;
    const valid = { signingKeys, issuer: publicUrl, environment: 'local', lifetimeSeconds: 3600 };
    const caller = { clientId: 'c', tenant: 'local', scopes: [...scopes], clientVersion: 1 };
    const invalidTokens = await Promise.all([
      createAccessTokens({ ...valid, signingKeys: createTestSigningKeys() }).issue(caller),
      createAccessTokens({ ...valid, lifetimeSeconds: -1 }).issue(caller),
      createAccessTokens({ ...valid, environment: 'production' }).issue(caller),
      createAccessTokens({ ...valid, issuer: 'https://other.example.com' }).issue(caller),
    ]);
    for (const token of [...invalidTokens, 'x', `${invalidTokens[0]}x`]) {
      const response = await call(route, ownId, token);
      expect(response.body).toEqual(problemShape('unauthorized', 401));
      expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    }
  });

  test('returns 403 for an access token with every scope but the right one', async () => {
    const otherScopes = scopes.filter((scope) => scope !== route.scope);
    const response = await call(route, ownId, await world.issueToken('local', otherScopes));
    expect(response.body).toEqual(problemShape('insufficient_scope', 403));
    expect(response.headers.get('www-authenticate')).toContain(`scope="${route.scope}"`);
  });

  if (route.path.includes('{id}'))
    test('returns the same 404 for a transaction of another tenant and for one that does not exist', async () => {
      const otherTenantToken = await world.issueToken('other');
      const responses = await Promise.all(
        [ownId, unknownId, 'not-an-id'].map((id) => call(route, id, otherTenantToken)),
      );
      const [foreign, ...missing] = responses.map(({ status, body, headers }) => {
        const { instance: _, traceId: __, ...fields } = body as Record<string, unknown>;
        return { status, fields, headerNames: [...headers.keys()].toSorted() };
      });
      expect(foreign?.fields).toMatchObject({ code: 'transaction_not_found' });
      for (const one of missing) expect(one).toEqual(foreign);
    });
});

describe('the API', () => {
  test('returns 404 for an unknown path', async () => {
    for (const path of ['/', '/v1', '/v1/transactions', '/v1/Transaction', '/v1/transaction/', '/%ff'])
      expect((await world.request(path)).body).toEqual(problemShape('not_found', 404));
  });

  test('returns 405 with the allowed methods for a wrong method', async () => {
    const response = await world.request(`/v1/transaction/${ownId}/sms/2fa`, { method: 'DELETE' });
    expect(response.body).toEqual(problemShape('method_not_allowed', 405));
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test('uses a safe X-Request-Id of the caller as the trace id', async () => {
    const safeResponse = await world.request('/nowhere', { headers: { 'x-request-id': 'my-trace-0001' } });
    expect(safeResponse.headers.get('x-request-id')).toBe('my-trace-0001');
    expect(safeResponse.body).toMatchObject({ traceId: 'my-trace-0001' });
    const response = await world.request('/nowhere', { headers: { 'x-request-id': 'a"b<script>' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('ignores the forwarded host of a request in all URLs', async () => {
    const response = await world.request('/nowhere', {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });
    expect(JSON.stringify(response.body)).not.toContain('evil');
  });
});

test('a client over its rate limit gets 429 with the RateLimit headers, and other clients do not', async () => {
  const limitedWorld = await ApiWorld.open({ RATE_LIMIT_PER_SECOND: '3' });
  const { path } = await limitedWorld.createTransaction();
  const responses = await Promise.all(Array.from({ length: 12 }, () => limitedWorld.request(path)));
  expect(responses[0]?.headers.get('ratelimit')).toMatch(/^"client";r=\d;t=1$/);
  const limitedResponses = responses.filter(({ status }) => status === 429);
  expect(limitedResponses.length).toBeGreaterThan(0);
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(limitedResponses[0]?.body).toEqual(problemShape('rate_limited', 429));
  expect(limitedResponses[0]?.headers.get('retry-after')).toBe('1');
  expect(limitedResponses[0]?.headers.get('ratelimit-policy')).toContain('q=3');
  const otherToken = await limitedWorld.issueToken('other');
  expect((await limitedWorld.request(path, { token: otherToken })).status).toBe(404);
  await limitedWorld.close();
});
