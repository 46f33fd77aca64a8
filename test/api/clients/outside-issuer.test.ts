import { createPublicKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { OutsideIssuer } from '../../../api/http/auth/outside-issuer';
import { ClientVersions } from '../../../api/clients/client-versions';
import { readBootstrapClients } from '../../../api/clients/clients';
import { createLogger } from '../../../platform/logger';
import { LocalIssuer } from '../../support/local-issuer';
import { ApiWorld, problemShape } from '../api-world';

const logger = createLogger('test', 'silent');
/** The shortest time between two reads of the issuer's keys. */
const pauseMs = 200;
/** An unknown transaction. With an accepted token, the answer is 404. */
const path = '/v1/transaction/01900000-0000-7000-8000-000000000000';
const audience = 'https://verify.example.com/production';

let world: ApiWorld;
let issuer: LocalIssuer;
let outside: OutsideIssuer;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  issuer = await LocalIssuer.start();
  await issuer.addKey('first');
});
afterEach(async () => {
  outside.stop();
  await issuer.stop();
});

/** Makes the API accept access tokens of the issuer. `claims`: the names of the claims with the tenant and the scopes. */
function connect(claims: { tenantClaim?: string; scopeClaim?: string } = {}): void {
  const settings = { issuer: issuer.issuer, audience, tenantClaim: 'tenant', scopeClaim: 'scope', ...claims };
  outside = new OutsideIssuer(settings, logger, pauseMs);
  world.dependencies.outsideIssuer = outside;
}

/** The claims of an accepted access token. */
const valid = { aud: audience, tenant: 'acme', scope: 'openid transaction:read' };
const read = (token: string) => world.request(path, { token });
/** An access token with the valid claims and these changes. `rest`: the key that signs, and changes of the header. */
const issue = (claims: Record<string, unknown> = {}, ...rest: [key?: LocalIssuer['keys'][number], header?: object]) =>
  issuer.issue({ ...valid, ...claims }, ...(rest as []));
const statusOf = async (token: string) => (await read(token)).status;

test.each(['ES256', 'RS256', 'PS256', 'EdDSA'])(
  'a token that the issuer has signed with %s is accepted',
  async (alg) => {
    await issuer.addKey('other', alg);
    connect();
    expect(await statusOf(await issue())).toBe(404);
    // Tokens of the service itself are still accepted.
    expect((await world.request(path)).status).toBe(404);
  },
);

test('the tenant and the scopes come from the claims that the settings name', async () => {
  connect({ tenantClaim: 'https://acme.com/tenant', scopeClaim: 'permissions' });
  const token = await issue({
    'https://acme.com/tenant': 'globex',
    permissions: ['flows:read', '*', 'admin'],
    tenant: 1,
  });
  expect(await outside.verify(token)).toEqual({ clientId: 'oidc:someone', tenant: 'globex', scopes: ['flows:read'] });
});

test('a request whose access token lacks the required scope gets 403', async () => {
  connect();
  for (const scope of [undefined, '', 'openid', 'transaction:write', '*', 'transaction:read2']) {
    const response = await read(await issue({ scope }));
    expect(response.body).toEqual(problemShape('insufficient_scope', 403));
    expect(response.headers.get('www-authenticate')).toContain('scope="transaction:read"');
  }
});

test.each<[string, Record<string, unknown>]>([
  ['another audience', { aud: 'https://verify.example.com/homologation' }],
  ['no audience', { aud: undefined }],
  ['another issuer', { iss: 'https://other.example.com' }],
  ['no issuer', { iss: undefined }],
  ['an expired token', { exp: Math.floor(Date.now() / 1_000) - 10 }],
  ['no expiry', { exp: undefined }],
  ['a token that is not valid yet', { nbf: Math.floor(Date.now() / 1_000) + 86_400 }],
  ['no tenant', { tenant: undefined }],
  ['an invalid tenant', { tenant: 'acme/other' }],
  ['a list of tenants', { tenant: ['acme'] }],
  ['no subject', { sub: undefined }],
  ['a subject that is too long', { sub: 'a'.repeat(256) }],
  ['invalid scopes', { scope: 7 }],
])('an access token with a wrong claim gets 401: %s', async (_, claims) => {
  connect();
  expect(await statusOf(await issue())).toBe(404);
  const response = await read(await issue(claims));
  expect(response.body).toEqual(problemShape('unauthorized', 401));
  expect(response.headers.get('www-authenticate')).toContain('invalid_token');
});

test('a token gets 401 if it has no signature, a wrong signature, an HMAC made with the public key, or a wrong type', async () => {
  const [key] = issuer.keys;
  if (!key) throw new Error('no key');
  const rsa = await issuer.addKey('rsa', 'RS256');
  connect();
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const payload = { iss: issuer.issuer, sub: 'x', exp: Math.floor(Date.now() / 1_000) + 300, ...valid };
  const pem = createPublicKey({ key: rsa.publicJwk as Record<string, string>, format: 'jwk' });
  const secrets = [
    pem.export({ format: 'pem', type: 'spki' }),
    pem.export({ format: 'der', type: 'spki' }),
    JSON.stringify(rsa.publicJwk),
  ];
  const signed = secrets.map((secret) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }).sign(Buffer.from(secret)),
  );
  const wrongTokens = [
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(payload)}.`,
    `${encode({ alg: 'none', kid: 'first' })}.${encode(payload)}.x`,
    ...(await Promise.all(signed)),
    await issue({}, { ...rsa, kid: 'first' }),
    await issue({}, key, { typ: 'logout+jwt' }),
    `${await issue({}, key)}x`,
  ];
  for (const token of wrongTokens) expect(await statusOf(token)).toBe(401);
  for (const typ of ['JWT', 'application/at+jwt', undefined])
    expect(await statusOf(await issue({}, key, { typ }))).toBe(404);
});

test('unknown key ids cause few requests to the issuer, and tokens of other issuers cause none', async () => {
  connect();
  expect(await statusOf(await issue())).toBe(404);
  const [key] = issuer.keys;
  if (!key) throw new Error('no key');
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  const startedAt = performance.now();
  for (let index = 0; index < 40; index++) {
    expect(await statusOf(await issue({}, { ...key, kid: `unknown-${index}` }))).toBe(401);
    expect(await statusOf(await issue({ iss: 'https://other.example.com' }, { ...key, kid: `u-${index}` }))).toBe(401);
  }
  await pause(pauseMs);
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => statusOf(await issue({}, { ...key, kid: `later-${index}` }))),
  );
  // The API may read the keys once in each `pauseMs`, so the allowed number of requests depends on how long the 120 tokens took.
  const pauses = Math.ceil((performance.now() - startedAt) / pauseMs);
  expect(issuer.requests.length).toBeLessThanOrEqual(4 + pauses);
  expect(issuer.requests.filter((one) => one !== '/keys')).toHaveLength(1);
});

test('a new key of the issuer is accepted without a restart, and a removed key is rejected after the next read of the keys', async () => {
  connect();
  const oldToken = await issue();
  expect(await statusOf(oldToken)).toBe(404);
  await issuer.addKey('second');
  await pause(pauseMs);
  const newToken = await issue();
  expect([await statusOf(newToken), await statusOf(oldToken)]).toEqual([404, 404]);
  issuer.keys = issuer.keys.slice(1);
  await pause(pauseMs);
  expect(await statusOf(await issue({}, { ...issuer.keys[0]!, kid: 'unknown' }))).toBe(401);
  expect([await statusOf(newToken), await statusOf(oldToken)]).toEqual([404, 401]);
});

test.each(['fails', 'is not JSON', 'names another issuer', 'hangs'] as const)(
  'if the keys of an issuer are not known yet and its answer %s, its tokens get 503 until the issuer works again',
  async (mode) => {
    issuer.mode = mode;
    connect();
    const token = await issue();
    for (const response of await Promise.all([read(token), read(token), read(token)])) {
      expect(response.body).toEqual(problemShape('service_unavailable', 503));
      expect(response.headers.get('retry-after')).not.toBeNull();
    }
    // Clients of the service itself are not affected, and tokens of other issuers still get 401.
    expect((await world.request(path)).status).toBe(404);
    expect(await statusOf(await issue({ iss: 'https://other.example.com' }))).toBe(401);
    const sent = issuer.requests.length;
    for (let index = 0; index < 20; index++) await read(token);
    expect(issuer.requests.length).toBeLessThanOrEqual(sent + 5);
    issuer.mode = 'works';
    await pause(pauseMs);
    expect(await statusOf(token)).toBe(404);
  },
);

test('during an outage of the issuer, tokens of known keys are accepted', async () => {
  connect();
  const token = await issue();
  expect(await statusOf(token)).toBe(404);
  issuer.mode = 'fails';
  await pause(pauseMs);
  const [key] = issuer.keys;
  // The API cannot ask the issuer for this key.
  expect(await statusOf(await issue({}, { ...key!, kid: 'unknown' }))).toBe(503);
  expect([await statusOf(token), await statusOf(await issue())]).toEqual([404, 404]);
});

test('client ids from an outside issuer begin with `oidc:` and have no Markdown, and BOOTSTRAP_CLIENTS rejects this prefix', async () => {
  connect();
  const idOf = async (sub: string) => (await outside.verify(await issue({ sub })))?.clientId;
  expect(await idOf('a@b')).toBe('oidc:a@b');
  expect(await idOf('a%40b')).toBe('oidc:a%2540b');
  expect(await idOf('auth0|[x](y)*~')).toBe('oidc:auth0%7C%5Bx%5D%28y%29%2A%7E');
  const client = { tenant: 'local', clientId: 'oidc:a@b', clientSecret: 'x'.repeat(40), scopes: ['*'] };
  expect(() => readBootstrapClients(JSON.stringify([client]))).toThrow('BOOTSTRAP_CLIENTS.0.clientId');
});

test('a token of an outside issuer is accepted, even if the database has another version of a client with the same id', async () => {
  connect();
  const versions = new ClientVersions({
    logger,
    pool: {
      query: async (sql: string) => ({ rows: /version/.test(sql) ? [{ clientId: 'oidc:someone', version: 9 }] : [] }),
    } as never,
  });
  await versions.load();
  world.dependencies.clientVersions = versions;
  expect(await statusOf(await issue())).toBe(404);
  expect((await world.request(path)).status).toBe(404);
  versions.stop();
});
