import { clientNetwork } from '../../../../api/http/limits/rate-limits';
import { createLogger } from '../../../../platform/logger';
import { LogLines } from '../../../support/log-lines';
import { ApiWorld, type ApiResponse, type RequestOptions, problemShape } from '../../api-world';
import { startPostgres, type TestPostgres } from '../../../support/postgres';
import { makeClient, saveClient } from '../../../../api/clients/clients';

const statusesOf = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status);

async function repeat(count: number, send: () => Promise<ApiResponse>): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  while (responses.length < count) responses.push(await send());
  return responses;
}

/** A request for an access token. */
const basic = (id: string, secret: string): RequestOptions => ({
  token: null,
  rawBody: 'grant_type=client_credentials',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  },
});

describe('an address without an access token', () => {
  let world: ApiWorld;
  beforeEach(async () => {
    world = await ApiWorld.open({ ADDRESS_RATE_LIMIT_PER_SECOND: '1', TRUST_PROXY: 'loopback' });
  });
  afterEach(() => world.close());

  const from = (address: string) => ({ 'x-forwarded-for': address });

  test.each([
    [
      'with an invalid token',
      () => world.request('/v1/transaction/x', { token: 'x', headers: from('192.0.2.1') }),
      401,
    ],
    ['for a hosted page', () => world.request('/confirm/unknown', { token: null, headers: from('192.0.2.2') }), 404],
    [
      'for the OpenAPI document',
      () => world.request('/openapi.json', { token: null, headers: from('192.0.2.3') }),
      200,
    ],
    ['for an unknown path', () => world.request('/nowhere', { token: null, headers: from('192.0.2.4') }), 404],
    ['for the API reference', () => world.request('/docs/api', { token: null, headers: from('192.0.2.5') }), 200],
    [
      'for the endpoint of Twilio, without a signature',
      () => world.post('/webhooks/twilio/inbound', unsigned('192.0.2.6')),
      403,
    ],
  ] as const)('an address without an access token gets 429 after ten requests %s', async (_, send, status) => {
    const responses = await repeat(11, send);
    expect(statusesOf(responses)).toEqual([...Array.from({ length: 10 }, () => status), 429]);
    expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"address";q=10;w=10');
    expect(responses[0]?.headers.get('ratelimit')).toBe('"address";r=9;t=1');
    expect(responses[10]?.body).toEqual(problemShape('rate_limited', 429));
    expect(responses[10]?.headers.get('ratelimit')).toBe('"address";r=0;t=10');
    expect(Number(responses[10]?.headers.get('retry-after'))).toBe(1);
  });

  test('when an address has used up its limit with invalid tokens, it gets 429 before its next token is verified', async () => {
    const headers = from('192.0.2.11');
    const verify = jest.spyOn(world.dependencies.accessTokens, 'verify');
    const responses = await repeat(15, () => world.request('/v1/transaction/x', { token: 'x', headers }));
    expect(responses.at(-1)?.body).toEqual(problemShape('rate_limited', 429));
    // The request that uses up the limit is still verified.
    expect(verify.mock.calls.length).toBeLessThanOrEqual(11);
    verify.mockRestore();
  });

  const unsigned = (address: string): RequestOptions => ({
    token: null,
    rawBody: 'MessageSid=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
  });

  test('if one address gets 429, other addresses, health checks, page files and a caller who was there before are not affected', async () => {
    const headers = from('192.0.2.9');
    const { path } = await world.createTransaction();
    expect((await world.request(path, { headers })).status).toBe(200);
    await repeat(11, () => world.request('/nowhere', { token: null, headers }));
    expect((await world.request('/nowhere', { token: null, headers })).status).toBe(429);
    expect((await world.request('/nowhere', { token: null, headers: from('192.0.2.10') })).status).toBe(404);
    for (const file of ['/health/live', '/health/ready', world.dependencies.builtPages.logo])
      expect((await world.request(file, { token: null, headers })).status).toBe(200);
    expect((await world.request(path, { headers })).status).toBe(200);
  });
});

test('a request whose token lacks the scope counts against the rate limit of its client, and its log line has the tenant', async () => {
  const log = new LogLines();
  const world = await ApiWorld.open({ RATE_LIMIT_PER_SECOND: '10' }, createLogger('api', 'info', log.stream));
  const token = await world.issueToken('acme', ['transaction:read']);
  const responses = await repeat(11, () => world.request('/v1/blocks', { token }));
  await world.close();
  expect(statusesOf(responses)).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  expect(responses[0]?.headers.get('ratelimit')).not.toBeNull();
  expect(log.lines[0]).toMatchObject({ status: 403, problem: 'insufficient_scope', tenant: 'acme' });
});

describe('behind proxies', () => {
  const send = async (trustProxy: string, forwardedFor: (index: number) => string) => {
    const world = await ApiWorld.open({ ADDRESS_RATE_LIMIT_PER_SECOND: '1', TRUST_PROXY: trustProxy });
    let index = 0;
    const responses = await repeat(11, () => {
      index += 1;
      return world.request('/nowhere', { token: null, headers: { 'x-forwarded-for': forwardedFor(index) } });
    });
    await world.close();
    return responses.at(-1)?.status;
  };

  test('X-Forwarded-For is ignored by default, so nobody can invent an address', async () => {
    expect(await send('', (index) => `192.0.2.${index}`)).toBe(429);
  });

  test('with one proxy, only the last address in the header counts: the address that this proxy added', async () => {
    expect(await send('1', (index) => `192.0.2.${index}`)).toBe(404);
    expect(await send('1', (index) => `192.0.2.${index}, 198.51.100.7`)).toBe(429);
  });

  test('if TRUST_PROXY lists addresses of proxies, the last address in the header that is not in this list counts', async () => {
    expect(await send('loopback,10.0.0.0/8', (index) => `192.0.2.${index}, 198.51.100.7, 10.1.2.3`)).toBe(429);
    expect(await send('loopback,10.0.0.0/8', (index) => `192.0.2.${index}, 10.1.2.3`)).toBe(404);
  });

  test.each([(index: number) => `192.0.2.${index}:4711`, (index: number) => `[2001:db8:0:${index}::1]:4711`])(
    'with a proxy that adds the port to the address, each address has a limit of its own: %p',
    async (address) => {
      expect(await send('1', address)).toBe(404);
      expect(await send('1', (index) => `192.0.2.7:${4_000 + index}`)).toBe(429);
    },
  );

  test('a text in X-Forwarded-For that is not an address is ignored, and the address of the connection counts', async () => {
    expect(await send('1', (index) => `unknown-${index}`)).toBe(429);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1:2'],
  ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2'],
])('requests from the address %s count against the rate limit of the address or network %s', (ip, network) => {
  expect(clientNetwork({ ip, socket: {} } as Parameters<typeof clientNetwork>[0])).toBe(network);
});

describe('logins', () => {
  let postgres: TestPostgres;
  let world: ApiWorld;
  const client = makeClient('acme', ['*']);
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    const DATABASE_URL = await postgres.createDatabase();
    world = await ApiWorld.open({ DATABASE_URL, LOGIN_RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: '1' });
    await saveClient(world.dependencies.pool, client);
  });
  afterEach(() => world.close());
  afterAll(() => postgres.stop());

  const login = (address: string, secret: string) => {
    const { headers, ...options } = basic(client.clientId, secret);
    return world.post('/oauth2/token', { ...options, headers: { ...headers, 'x-forwarded-for': address } });
  };

  test.each([
    ['/oauth2/token', () => login('192.0.2.1', 'wrong')],
    [
      '/v1/authentication',
      () => world.post('/v1/authentication', { token: null, body: { Username: 'a', Password: 'b' } }),
    ],
  ])('an address that sends many wrong secrets gets 429 from %s before the next secret is checked', async (_, send) => {
    const responses = await repeat(4, send);
    expect(statusesOf(responses)).toEqual([401, 401, 401, 429]);
    expect(responses[3]?.body).toEqual(problemShape('rate_limited', 429));
    expect(responses[3]?.headers.get('retry-after')).toBe('20');
    expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"login-address";q=3;w=60');
  });

  test('a client that gets many tokens gets 429, even if each request comes from another address', async () => {
    let index = 0;
    const responses = await repeat(4, () => login(`192.0.2.${(index += 1)}`, client.clientSecret));
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"login-address";q=3;w=60, "login-client";q=3;w=60');
  });

  test('wrong secrets from other addresses do not lock out a client', async () => {
    let index = 0;
    await repeat(6, () => login(`192.0.2.${(index += 1)}`, 'wrong'));
    expect((await login('198.51.100.7', client.clientSecret)).status).toBe(200);
  });
});
