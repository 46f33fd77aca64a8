import { decodeJwt } from 'jose';
import type { ApiConfig } from '../../../platform/config';
import type { RequestOptions } from '../api-world';
import { statusAndAllowedOrigin, CodecWorld, decodePath, localSettings, uiUrl, valuesOf } from './codec-world';

const sessionPath = '/v1/codec/session';
/** A request without an access token, from a page of this origin. */
const from = (origin?: string, headers: Record<string, string> = {}): RequestOptions => ({
  token: null,
  headers: { ...(origin === undefined ? {} : { origin }), ...headers },
});
const otherOrigins = [
  'http://127.0.0.1:8234',
  'http://localhost:8233',
  'https://evil.example',
  `${uiUrl}.evil.example`,
  'null',
];

describe('requests from web pages of other origins', () => {
  let world: CodecWorld;
  beforeAll(async () => {
    world = await CodecWorld.open();
  });
  afterAll(() => world.close());

  const preflight = (origin: string) =>
    world.api.request(decodePath, {
      method: 'OPTIONS',
      ...from(origin, { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-namespace' }),
    });

  test('the Temporal UI may send its headers and cookies', async () => {
    const { status, headers } = await preflight(uiUrl);
    expect(status).toBe(204);
    expect(Object.fromEntries([...headers].filter(([name]) => /^access-control|^vary/.test(name)))).toEqual({
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'Authorization, Authorization-Extras, Content-Type, X-Namespace',
      'access-control-allow-methods': 'POST',
      'access-control-allow-origin': uiUrl,
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  });

  test('the Temporal UI can read the problems that the codec server returns', async () => {
    expect(statusAndAllowedOrigin(await world.decode([], from(uiUrl)))).toEqual([401, uiUrl]);
    expect(
      statusAndAllowedOrigin(await world.api.post(decodePath, { rawBody: '[', headers: { origin: uiUrl } })),
    ).toEqual([400, uiUrl]);
  });

  test.each(otherOrigins)('a request from %s gets no CORS headers', async (origin) => {
    for (const response of [
      await preflight(origin),
      await world.decode([], from(origin)),
      await world.decode([], { headers: { origin } }),
    ])
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await preflight(origin)).status).toBe(405);
  });

  test('the answers of other routes have no CORS headers', async () => {
    for (const path of [sessionPath, '/v1/transaction', '/oauth2/token']) {
      const response = await world.api.post(path, { body: {}, headers: { origin: uiUrl } });
      expect(statusAndAllowedOrigin(response)[1]).toBeNull();
    }
  });
});

describe('the sign-in', () => {
  let world: CodecWorld;
  let cookie: string;
  beforeAll(async () => {
    world = await CodecWorld.open();
    // The sign-in ends with the access token. While the clock stands still, the token does not age before the sign-in.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { headers } = await world.api.post(sessionPath, { token: await world.api.issueToken('local') });
    clock.mockRestore();
    cookie = headers.get('set-cookie') ?? '';
  });
  afterAll(() => world.close());

  /** A request with the cookie of the sign-in, from a page of this origin. */
  const signedIn = (origin?: string) => from(origin, { cookie: `other=1; ${cookie.split(';')[0] ?? ''}` });

  test('the cookie of the sign-in cannot be read by scripts, and is sent only to the codec server', () => {
    expect(cookie.split('; ').slice(1)).toEqual([
      'Max-Age=3600',
      `Path=${decodePath}`,
      'HttpOnly',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  test('the Temporal UI can decode with the cookie, and the audit log names the client', async () => {
    const transaction = await world.createTransaction();
    const response = await world.decode([await transaction.encrypt('clear')], signedIn(uiUrl));
    expect([...statusAndAllowedOrigin(response), ...valuesOf(response)]).toEqual([200, uiUrl, 'clear']);
    expect(await world.auditOf(transaction)).toMatchObject([{ actor: 'client-of-local' }]);
  });

  test.each([...otherOrigins, undefined])('a request with the origin %s cannot use the cookie', async (origin) => {
    expect((await world.decode([], signedIn(origin))).status).toBe(401);
  });

  test('the cookie works only for the codec server', async () => {
    for (const path of ['/v1/blocks', '/v1/flows/schema', '/v1/reviews'])
      expect((await world.api.request(path, signedIn(uiUrl))).status).toBe(401);
    expect((await world.api.post(sessionPath, signedIn(uiUrl))).status).toBe(401);
    const [, value = ''] = /=([^;]+)/.exec(cookie) ?? [];
    expect((await world.api.request('/v1/blocks', { token: value })).body).toMatchObject({
      code: 'insufficient_scope',
      detail: expect.stringContaining('blocks:manage'),
    });
  });

  test('a sign-in ends no later than its access token, even if its cookie value is used for a second sign-in', async () => {
    const { accessTokens } = world.api.dependencies;
    const caller = { clientId: 'operator', tenant: 'local', scopes: ['operator:decode'], clientVersion: 1 };
    const token = await accessTokens.issue(caller, 60);
    const { exp: expiresAt = 0 } = decodeJwt(token);
    const signIn = async (bearer: string) => {
      const { headers, body } = await world.api.post(sessionPath, { token: bearer });
      const [, value = '', maxAge = ''] = /=([^;]+); Max-Age=(\d+)/.exec(headers.get('set-cookie') ?? '') ?? [];
      expect(body).toEqual({ expiresInSeconds: Number(maxAge) });
      expect(Number(maxAge)).toBeLessThanOrEqual(60);
      return value;
    };
    const firstValue = await signIn(token);
    const nextValue = await signIn(firstValue);
    for (const value of [firstValue, nextValue]) expect(decodeJwt(value).exp).toBeLessThanOrEqual(expiresAt);
    expect((await accessTokens.verify(nextValue))?.scopes).toEqual(['operator:decode']);
  });

  test('a forged cookie is rejected', async () => {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
    const forged = `${name}=${value.slice(0, -8)}AAAAAAAA`;
    expect((await world.decode([], from(uiUrl, { cookie: forged }))).status).toBe(401);
  });

  test('the cookie is rejected after its client was revoked', async () => {
    const { clientVersions } = world.api.dependencies;
    world.api.dependencies.clientVersions = { isCurrent: () => false };
    expect((await world.decode([], signedIn(uiUrl))).status).toBe(401);
    world.api.dependencies.clientVersions = clientVersions;
    expect((await world.decode([], signedIn(uiUrl))).status).toBe(200);
  });

  test('a request with an invalid access token is rejected, even if it also has the cookie', async () => {
    const headers = { ...signedIn(uiUrl).headers, authorization: 'Bearer x' };
    expect((await world.decode([], { token: null, headers })).status).toBe(401);
  });
});

describe('a local stack', () => {
  let world: CodecWorld;
  beforeAll(async () => {
    world = await CodecWorld.open(localSettings);
  });
  afterAll(() => world.close());

  test('the Temporal UI of a local stack needs no sign-in', async () => {
    const transaction = await world.createTransaction();
    const response = await world.decode([await transaction.encrypt('clear')], from(uiUrl));
    expect([...statusAndAllowedOrigin(response), ...valuesOf(response)]).toEqual([200, uiUrl, 'clear']);
    expect(await world.auditOf(transaction)).toMatchObject([{ actor: 'temporal-ui', detail: { count: 1 } }]);
  });

  test.each([...otherOrigins, undefined])('a request with the origin %s needs an access token', async (origin) => {
    expect((await world.decode([], from(origin))).status).toBe(401);
  });

  test.each<Partial<ApiConfig>>([
    { COUNTERSIGN_ENV: 'production' },
    { COUNTERSIGN_ENV: 'homologation' },
    { PUBLIC_URL: 'https://verify.example.com' },
    { TEMPORAL_UI_URL: 'https://temporal.example.com' },
    { TEMPORAL_UI_URL: undefined },
    { TEMPORAL_UI_CLEAR_TEXT: false },
  ])('the Temporal UI needs a sign-in if the settings are changed to %j', async (changed) => {
    const { dependencies } = world.api;
    const { config } = dependencies;
    dependencies.config = { ...config, ...changed };
    const response = await world.decode([], from(dependencies.config.TEMPORAL_UI_URL ?? uiUrl));
    dependencies.config = config;
    expect(response.status).toBe(401);
  });
});
