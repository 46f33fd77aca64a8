import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { createAccessTokens, scopes } from '../../../api/http/auth/access-tokens';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import {
  maintainSigningKeys,
  replaceSigningKeys,
  rotateSigningKey,
  SigningKeys,
} from '../../../platform/keys/signing-keys';
import { runSigningKeys } from '../../../platform/keys/signing-keys.cli';
import { findSigningKeys } from '../../../platform/keys/signing-keys.sql';
import { createLogger } from '../../../platform/logger';
import type { Pool } from '../../../platform/postgres/postgres';
import { seenWithinSeconds } from '../../../platform/postgres/polled-value';
import { fakeIntervals } from '../../support/fake-intervals';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';
import { ApiWorld, problemShape, publicUrl } from '../api-world';

const serviceKey = randomBytes(32).toString('base64');
const serviceKeys = createServiceKeys(serviceKey);
const logger = createLogger('test', 'silent');

let postgres: TestPostgres;
let databaseUrl: string;
/** Two API processes with one database. */
let worlds: [Process, Process];
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  databaseUrl = await postgres.createDatabase();
  worlds = [await openProcess(), await openProcess()];
  pool = worlds[0].world.dependencies.pool;
});
afterEach(async () => {
  for (const { world, signingKeys } of worlds) {
    signingKeys.stop();
    await world.close();
  }
});
afterAll(() => postgres.stop());

/** An API process with its own copy of the signing keys. */
interface Process {
  world: ApiWorld;
  signingKeys: SigningKeys;
}

async function openProcess(): Promise<Process> {
  const world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
  await maintainSigningKeys(world.dependencies.pool, serviceKeys);
  const signingKeys = new SigningKeys({ pool: world.dependencies.pool, serviceKeys, logger });
  await signingKeys.load();
  world.dependencies.signingKeys = signingKeys;
  world.dependencies.accessTokens = createAccessTokens({
    ...{ signingKeys, issuer: publicUrl, environment: 'local', lifetimeSeconds: 3_600 },
  });
  return { world, signingKeys };
}

const issue = ({ world }: Process) => world.issueToken('local', scopes);
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
/** All signing keys in the database. */
const kids = async () => (await findSigningKeys(pool)).map(({ kid }) => kid);
/** An unknown transaction. With an accepted token, the answer is 404. */
const path = '/v1/transaction/01900000-0000-7000-8000-000000000000';
const statusesOf = (token: string) =>
  Promise.all(worlds.map(async ({ world }) => (await world.request(path, { token })).status));

/** Moves the times of all keys back, as if `interval` had passed. */
const letPass = async (interval: string) => {
  await pool.query('update signing_keys set signs_from = signs_from - $1::interval', [interval]);
  // A process reads the times of a key only once, so a new object must read the changed times.
  for (const one of worlds) {
    one.signingKeys.stop();
    one.signingKeys = new SigningKeys({ pool, serviceKeys, logger });
    await one.signingKeys.load();
    one.world.dependencies.signingKeys = one.signingKeys;
    one.world.dependencies.accessTokens = createAccessTokens({
      ...{ signingKeys: one.signingKeys, issuer: publicUrl, environment: 'local', lifetimeSeconds: 3_600 },
    });
  }
};

async function readKeySet(): Promise<JSONWebKeySet> {
  const response = await worlds[1].world.request('/.well-known/jwks.json', { token: null });
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  return response.body as JSONWebKeySet;
}

test('processes that start at the same time use the same signing key, and each accepts the access tokens of the others', async () => {
  await pool.query('delete from signing_keys');
  // With this lock, all processes can look for a key, but none can add a key.
  const lock = await pool.connect();
  await lock.query('begin');
  await lock.query('lock table signing_keys in share mode');
  const starts = Promise.all(Array.from({ length: 8 }, () => maintainSigningKeys(pool, serviceKeys)));
  await pause(300);
  await lock.query('commit');
  lock.release();
  await starts;
  expect(await kids()).toHaveLength(1);
  for (const { signingKeys } of worlds) await signingKeys.load();
  for (const one of worlds) expect(await statusesOf(await issue(one))).toEqual([404, 404]);
});

test('a private signing key is not stored in clear text, and not published', async () => {
  const [key] = [...(worlds[0].signingKeys.keys?.values() ?? [])];
  const { d = '' } = key?.privateKey.export({ format: 'jwk' }) ?? {};
  const { rows } = await pool.query<{ wrapped: Buffer }>('select wrapped from signing_keys');
  expect(rows[0]?.wrapped.includes(Buffer.from(d, 'base64url'))).toBe(false);
  expect((await readKeySet()).keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x: key?.publicJwk.x, kid: key?.kid, use: 'sig', alg: 'EdDSA' },
  ]);
  expect(d).toHaveLength(43);
});

test('a signing key is published for an hour before it signs, and is removed when its last access token has expired', async () => {
  const [first] = await kids();
  const token = await issue(worlds[0]);
  await letPass('89 days');
  await maintainSigningKeys(pool, serviceKeys);
  expect(await kids()).toEqual([first]);
  await letPass('2 days');
  await Promise.all([1, 2, 3].map(() => maintainSigningKeys(pool, serviceKeys)));
  const [, second] = await kids();
  await letPass('59 minutes');
  // The second key is published, but does not sign yet.
  expect((await readKeySet()).keys.map(({ kid }) => kid)).toEqual([first, second]);
  expect(kidOf(await issue(worlds[0]))).toBe(first);
  await letPass('1 minute');
  const newToken = await issue(worlds[0]);
  expect(kidOf(newToken)).toBe(second);
  // The token of the first key still works, in the API and for a service that verifies it with the key set.
  expect([await statusesOf(token), await statusesOf(newToken)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
  const keySet = createLocalJWKSet(await readKeySet());
  for (const text of [token, newToken])
    expect((await jwtVerify(text, keySet, { issuer: publicUrl, audience: 'local' })).payload.tenant).toBe('local');
  await letPass('24 hours');
  await maintainSigningKeys(pool, serviceKeys);
  expect(await kids()).toEqual([first, second]);
  await letPass('2 hours');
  await maintainSigningKeys(pool, serviceKeys);
  expect(await kids()).toEqual([second]);
});

test('all processes reject the access tokens of a replaced key, even tokens that they accepted before', async () => {
  const token = await issue(worlds[0]);
  expect(await statusesOf(token)).toEqual([404, 404]);
  await rotateSigningKey(pool, serviceKeys);
  await replaceSigningKeys(pool, serviceKeys);
  expect(await kids()).toHaveLength(1);
  await waitUntil(async () => (await statusesOf(token)).every((status) => status === 401));
  for (const one of worlds) expect(await statusesOf(await issue(one))).toEqual([404, 404]);
});

test('half of the promised time after the keys were replaced, a process reads the new keys, so the other half is left for the read', async () => {
  fakeIntervals();
  const signingKeys = new SigningKeys({ pool, serviceKeys, logger });
  await signingKeys.load();
  const [replaced = ''] = signingKeys.keys?.keys() ?? [];
  await replaceSigningKeys(pool, serviceKeys);
  expect(signingKeys.keys?.has(replaced)).toBe(true);
  const query = jest.spyOn(pool, 'query');
  jest.advanceTimersByTime((seenWithinSeconds * 1_000) / 2);
  expect(query).toHaveBeenCalled();
  // Waits for the read that runs. It starts no other read.
  await signingKeys.load();
  expect(signingKeys.keys?.has(replaced)).toBe(false);
  signingKeys.stop();
  query.mockRestore();
  jest.useRealTimers();
});

test('npm run signing-keys lists the keys, publishes at most one next key, and replaces all keys', async () => {
  const run = async (...args: string[]) => {
    const output = { stdout: '', stderr: '' };
    const to = (stream: keyof typeof output) => ({
      write: (text: string | Uint8Array) => Boolean((output[stream] += text)),
    });
    const environment = () => ({ DATABASE_URL: databaseUrl, SERVICE_KEY: serviceKey });
    return { code: await runSigningKeys(args, { environment, stdout: to('stdout'), stderr: to('stderr') }), ...output };
  };
  expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('rotate') });
  for (const args of [[], ['toString'], ['list', 'more']])
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
  expect((await run('rotate')).stdout).toMatch(/^\S{16} {2}signs from /);
  expect((await run('rotate')).stdout).toContain('does not sign yet');
  expect((await run('list')).stdout).toMatch(/^\S{16} {2}signs since \S+\n\S{16} {2}signs from \S+\n$/);
  expect((await run('replace')).stdout).toMatch(/^\S{16} {2}signs since /);
  expect(await kids()).toHaveLength(1);
});

test('until the signing keys are read, requests with an access token and requests for the key set get 503', async () => {
  const { world } = worlds[0];
  const token = await issue(worlds[0]);
  const none = { keys: undefined };
  world.dependencies.signingKeys = none;
  world.dependencies.accessTokens = createAccessTokens({
    ...{ signingKeys: none, issuer: publicUrl, environment: 'local', lifetimeSeconds: 3_600 },
  });
  for (const [one, options] of [
    [path, { token }],
    ['/.well-known/jwks.json', { token: null }],
  ] as const)
    expect((await world.request(one, options)).body).toEqual(problemShape('service_unavailable', 503));
});

test('the OAuth metadata has the addresses of the token endpoint and of the key set', async () => {
  const { world } = worlds[0];
  const response = await world.request('/.well-known/oauth-authorization-server', { token: null });
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(response.body).toEqual({
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/oauth2/token`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    service_documentation: `${publicUrl}/docs`,
    scopes_supported: [...scopes],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
});
