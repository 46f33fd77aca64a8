import { createAccessTokens, scopes } from '../../../api/http/auth/access-tokens';
import { routes } from '../../../api/routes';
import { createTestSigningKeys } from '../../support/test-signing-keys';
import { ApiWorld, problemShape, publicUrl } from '../api-world';

let world: ApiWorld;
let ownId: string;
beforeAll(async () => {
  world = await ApiWorld.open();
  ownId = (await world.createTransaction()).id;
});
afterAll(() => world.close());

test('an access token that was accepted is rejected after it expires', async () => {
  const caller = { clientId: 'c', tenant: 'local', scopes: [...scopes], clientVersion: 1 };
  const token = await world.dependencies.accessTokens.issue(caller, 600);
  const read = () => world.request(`/v1/transaction/${ownId}`, { token });
  expect((await read()).status).toBe(200);
  // Only the clocks are fake, because the request needs real timers.
  const timers = ['nextTick', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'setInterval'] as const;
  const doNotFake = [...timers, 'clearInterval', 'queueMicrotask', 'performance'] as const;
  jest.useFakeTimers({ now: Date.now() + 601_000, doNotFake: [...doNotFake] });
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 601_000);
  expect((await read()).status).toBe(401);
  clock.mockRestore();
  jest.useRealTimers();
});

/**
 * All routes that need no access token. `needs`: what a request must have instead. `status`: the answer to a request that lacks this,
 * with `x` for each parameter of the path. The pages of flows, reviews and the brand have no data: their scripts request it with an access token.
 */
const openRoutes: Record<string, [needs: string, status: number]> = {
  'get /openapi.json': ['nothing', 200],
  'post /oauth2/token': ['client secret', 400],
  'post /v1/authentication': ['client secret', 400],
  'get /.well-known/jwks.json': ['nothing', 200],
  'get /.well-known/oauth-authorization-server': ['nothing', 200],
  'get /health/live': ['nothing', 200],
  'get /health/ready': ['nothing', 200],
  'post /webhooks/twilio/status/{sendId}': ['signature', 403],
  'post /webhooks/twilio/inbound': ['signature', 403],
  'post /webhooks/twilio/calls/{token}': ['signature', 403],
  'post /webhooks/twilio/calls/{token}/status': ['signature', 403],
  'post /webhooks/gateways/{token}': ['signature', 403],
  'post /webhooks/mail/{token}': ['signature', 403],
  'get /confirm/{token}': ['token of the link', 404],
  'post /confirm/{token}': ['token of the link', 404],
  'get /code/{token}': ['token of the link', 404],
  'post /code/{token}': ['token of the link', 404],
  'get /biometrics/{token}': ['token of the link', 404],
  'get /biometrics/{token}/session': ['token of the link', 404],
  'get /biometrics/{token}/qr.svg': ['token of the link', 404],
  'post /biometrics/{token}/open': ['token of the link', 404],
  'post /biometrics/{token}/consent': ['token of the link', 404],
  'post /biometrics/{token}/captures/{kind}': ['token of the link', 404],
  'get /biometrics/{token}/captures/{kind}/{uploadId}': ['token of the link', 404],
  'post /biometrics/{token}/captures/{kind}/{uploadId}': ['token of the link', 404],
  'post /biometrics/{token}/submit': ['token of the link', 404],
  'get /images/{token}': ['signed address', 404],
  // The id is random, and everybody who gets a mail of the tenant may see the logo.
  'get /brands/{brandId}/logo': ['nothing', 404],
  'get /brand': ['nothing', 200],
  // This page exists only with TEMPORAL_UI_URL.
  'get /codec/sign-in': ['nothing', 404],
  'get /reviews': ['nothing', 200],
  'post /flows/simulations': ['local stack, and a request from the same machine', 404],
  'get /flows/session': ['local stack, and a request from the same machine', 404],
  'get /flows': ['nothing', 200],
  'get /': ['nothing', 200],
  'get /docs': ['nothing', 200],
  'get /docs/': ['nothing', 308],
  'get /docs/{page}': ['nothing', 404],
  'get /docs/{folder}/{page}': ['nothing', 404],
  'get /assets/{file}': ['nothing', 404],
};

test('exactly the routes in `openRoutes` need no access token', () => {
  const open = routes.filter(({ scope }) => scope === undefined).map(({ method, path }) => `${method} ${path}`);
  expect(open.toSorted()).toEqual(Object.keys(openRoutes).toSorted());
});

test('an access token that is forged, expired, or of another environment or issuer gets 401', async () => {
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
    const response = await world.request(`/v1/transaction/${ownId}`, { token });
    expect(response.body).toEqual(problemShape('unauthorized', 401));
    expect(response.headers.get('www-authenticate')).toContain('invalid_token');
  }
});

const tokenOf = (...parts: string[]) => parts.map((part) => Buffer.from(part).toString('base64url')).join('.');

test.each([
  ['missing', {}, /^The request has no access token\./, /^Bearer$/],
  ['of another scheme', { authorization: 'Basic YTpi' }, /^The request has no access token\./, /^Bearer$/],
  [
    'without a token',
    { authorization: 'Bearer' },
    /malformed/,
    /^Bearer error="invalid_token", error_description="[^"]*malformed"$/,
  ],
  ['with a quoted token', { authorization: 'Bearer "x"' }, /malformed/, /error="invalid_token"/],
  ['with two tokens', { authorization: 'Bearer x y' }, /malformed/, /error="invalid_token"/],
  ['a token without a scheme', { authorization: tokenOf('a', 'b', 'c') }, /malformed/, /error="invalid_token"/],
  ['with a token that is no JWT', { authorization: 'Bearer abc' }, /malformed/, /error="invalid_token"/],
  ['with a part of a token', { authorization: `Bearer ${tokenOf('a', 'b')}` }, /malformed/, /error="invalid_token"/],
  [
    'with a rejected token',
    { authorization: `Bearer ${tokenOf('a', 'b', 'c')}` },
    /was rejected/,
    /error="invalid_token", error_description="[^"]*rejected"$/,
  ],
])('the 401 for an Authorization header that is %s says so', async (_, headers, detail, challenge) => {
  const response = await world.request(`/v1/transaction/${ownId}`, { token: null, headers });
  expect(response.body).toEqual({ ...problemShape('unauthorized', 401), detail: expect.stringMatching(detail) });
  expect(response.headers.get('www-authenticate')).toMatch(challenge);
});

test.each([
  ['POST', '/v1/transactions', 405, 'POST /v1/transaction?'],
  ['GET', '/v1/transactoin/0198c5e2-7a10-7c3e-9b1f-2d4e6f8a0b1c', 404, 'GET /v1/transaction/{id}?'],
  ['POST', '/v1/transaction/x/sms/token', 404, 'POST /v1/transaction/{id}/sms/tokens?'],
  ['POST', '/v1/transaction/x/email/tokens', 404, 'POST /v1/transaction/{id}/emails/tokens?'],
  ['GET', '/v1/transaction/x/whatsapp/2fa', 404, 'GET /v1/transaction/{id}/whatsapps/2fa?'],
  ['GET', '/v1/transactions/', 404, 'GET /v1/transactions?'],
  ['GET', '/V1/Flows', 404, 'GET /v1/flows?'],
  ['POST', '/transaction', 404, 'POST /v1/transaction?'],
  ['POST', '/api/v1/transaction', 404, 'POST /v1/transaction?'],
  ['POST', '/v1/token', 404, 'POST /oauth2/token?'],
  ['POST', '/oauth/token', 404, 'POST /oauth2/token?'],
  ['POST', '/login', 404, 'POST /oauth2/token?'],
  ['POST', '/v1/auth', 404, 'POST /v1/authentication?'],
  ['GET', '/v1/events', 404, 'GET /v1/transactions/{id}/events?'],
  ['GET', '/v1/openapi.json', 404, 'GET /openapi.json?'],
  ['GET', '/health', 404, 'GET /health/live?'],
  ['GET', '/healthz', 404, 'GET /health/live?'],
  ['POST', '/v1/transaction/x/sms', 404, 'POST /v1/transaction/{id}/sms/tokens?'],
  ['POST', '/v1/transaction/sms/tokens', 404, 'POST /v1/transaction/{id}/sms/tokens?'],
])('%s %s returns %i and suggests %s', async (method, path, status, suggestion) => {
  const response = await world.request(path, { method });
  expect(response).toMatchObject({ status, body: { detail: expect.stringContaining(`Did you mean ${suggestion}`) } });
});

test.each(['/v2/nothing', '/v1', '/api', '/v1/nothing', '/v1/transaction//x', `/v1${'/a'.repeat(2_000)}`])(
  'GET %s suggests nothing',
  async (path) => {
    const { status, body } = await world.request(path);
    expect([status, body]).toMatchObject([404, { detail: expect.not.stringContaining('Did you mean') }]);
  },
);

test.each(Object.entries(openRoutes).map(([route, [needs, status]]) => [route, needs, status] as const))(
  '%s (needs: %s) returns %i without an access token, and with an invalid access token',
  async (route, _, status) => {
    const [method = '', path = ''] = route.split(' ');
    const send = (token: string | null) =>
      world.request(path.replace(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
        token,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect([(await send(null)).status, (await send('x')).status]).toEqual([status, status]);
  },
);

describe('the API', () => {
  test('an unknown path returns 404', async () => {
    for (const path of ['/v1', '/v1/Transaction', '/v1/transaction/', '/%ff'])
      expect((await world.request(path)).body).toEqual(problemShape('not_found', 404));
  });

  test('a wrong method returns 405 with the allowed methods', async () => {
    const response = await world.request(`/v1/transaction/${ownId}/sms/2fa`, { method: 'DELETE' });
    expect(response.body).toEqual(problemShape('method_not_allowed', 405));
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test('a safe X-Request-Id of the caller becomes the trace id', async () => {
    const safeResponse = await world.request('/nowhere', { headers: { 'x-request-id': 'my-trace-0001' } });
    expect(safeResponse.headers.get('x-request-id')).toBe('my-trace-0001');
    expect(safeResponse.body).toMatchObject({ traceId: 'my-trace-0001' });
    const response = await world.request('/nowhere', { headers: { 'x-request-id': 'a"b<script>' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
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
