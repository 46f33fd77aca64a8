import { decodeJwt, decodeProtectedHeader } from 'jose';
import { makeClient, makeSecret, type NewClient, saveClient } from '../../../api/clients/clients';
import { addSecret } from '../../../api/clients/clients.sql';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape, publicUrl } from '../api-world';

let postgres: TestPostgres;
let world: ApiWorld;
let client: NewClient;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
  client = makeClient('local', ['transaction:read', 'transaction:write']);
  await saveClient(world.dependencies.pool, client);
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

const basicAuth = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

function requestToken(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const raw = new URLSearchParams(fields).toString();
  return world.post('/oauth2/token', {
    rawBody: raw,
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

const grant = { grant_type: 'client_credentials' };

describe('POST /oauth2/token', () => {
  test('POST /oauth2/token returns an access token if the secret is in the Authorization header', async () => {
    const response = await requestToken(grant, basicAuth(client.clientId, client.clientSecret));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'transaction:write transaction:read',
    });
    const { access_token: token } = response.body as { access_token: string };
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(decodeJwt(token)).toMatchObject({ iss: publicUrl, aud: 'local', sub: client.clientId, tenant: 'local' });
    expect((await world.request('/v1/transaction/01900000-0000-7000-8000-000000000000', { token })).status).toBe(404);
  });

  test.each(['application/x-www-form-urlencoded;', 'application/x-www-form-urlencoded; charset=utf-8; a=b'])(
    'POST /oauth2/token accepts a form of the content type %s',
    async (type) => {
      const credentials = basicAuth(client.clientId, client.clientSecret);
      expect((await requestToken(grant, { ...credentials, 'content-type': type })).status).toBe(200);
    },
  );

  test('POST /oauth2/token accepts a secret in the form, and the access token has only the scopes that the form names', async () => {
    const response = await requestToken({
      ...grant,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: 'transaction:read',
    });
    expect(response.body).toMatchObject({ scope: 'transaction:read' });
    const { access_token: token } = response.body as { access_token: string };
    expect((await world.post('/v1/transaction', { body: {}, token })).status).toBe(403);
  });

  test.each([
    ['a wrong secret', { ...grant }, 'wrong', 401, 'invalid_client'],
    ['no grant type', {}, '', 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, '', 400, 'unsupported_grant_type'],
    ['a scope that was not granted', { ...grant, scope: 'admin' }, '', 400, 'invalid_scope'],
    ['a scope that does not exist', { ...grant, scope: 'transaction:read everything' }, '', 400, 'invalid_scope'],
  ])(
    'POST /oauth2/token returns an OAuth error for %s',
    async (_, fields: Record<string, string>, secret, status, error) => {
      const response = await requestToken(fields, basicAuth(client.clientId, secret || client.clientSecret));
      expect(response).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
      expect(response.headers.has('www-authenticate')).toBe(status === 401);
    },
  );

  test.each(['grant_type', 'scope', 'client_secret'])(
    'if a form has the field %s twice, the error names this field',
    async (name) => {
      const fields = {
        ...grant,
        client_id: client.clientId,
        client_secret: client.clientSecret,
        scope: 'transaction:read',
      };
      const response = await world.post('/oauth2/token', {
        rawBody: `${new URLSearchParams(fields).toString()}&${name}=x`,
        token: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(response).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', error_description: `${name} is sent twice. Send each field once.` },
      });
    },
  );

  test('an unknown client gets the same error as a wrong secret', async () => {
    const [unknown, wrong] = [
      await requestToken(grant, basicAuth('nobody', 'x')),
      await requestToken(grant, basicAuth(client.clientId, 'x')),
    ];
    expect(unknown.body).toEqual(wrong.body);
  });

  test('both secrets of a client work, at /oauth2/token and at /v1/authentication', async () => {
    const twice = makeClient('local', ['*']);
    await saveClient(world.dependencies.pool, twice);
    const { secret, stored } = makeSecret();
    await addSecret(world.dependencies.pool, twice.clientId, stored);
    for (const text of [twice.clientSecret, secret]) {
      expect((await requestToken(grant, basicAuth(twice.clientId, text))).status).toBe(200);
      const body = { Username: twice.clientId, Password: text };
      expect((await world.post('/v1/authentication', { token: null, body })).status).toBe(200);
    }
  });

  test('a revoked client gets no token', async () => {
    const revokedClient = makeClient('local', ['*']);
    await saveClient(world.dependencies.pool, revokedClient);
    await world.dependencies.pool.query('update clients set revoked_at = now() where client_id = $1', [
      revokedClient.clientId,
    ]);
    expect((await requestToken(grant, basicAuth(revokedClient.clientId, revokedClient.clientSecret))).status).toBe(401);
  });

  test('POST /oauth2/token returns 415 for a body that is not a form', async () => {
    const response = await world.post('/oauth2/token', { body: grant, token: null });
    expect(response).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
  });

  test('only the hash of a secret is stored', async () => {
    for (const table of ['clients', 'client_secrets']) {
      const { rows } = await world.dependencies.pool.query<Record<string, unknown>>(`select * from ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(client.clientSecret);
    }
  });
});

describe('POST /v1/authentication', () => {
  const path = '/v1/authentication';

  test('POST /v1/authentication returns an access token that the API accepts', async () => {
    const response = await world.post(path, {
      token: null,
      body: { Username: client.clientId, Password: client.clientSecret },
    });
    expect(response).toMatchObject({ status: 200, body: { token: expect.any(String), expiresInSeconds: 3600 } });
    const { token } = response.body as { token: string };
    expect(
      (await world.post('/v1/transaction', { token, body: { documentType: 'CPF', document: '52998224725' } })).status,
    ).toBe(201);
  });

  test('POST /v1/authentication returns 401 for a wrong password, and 400 for missing fields', async () => {
    const wrong = await world.post(path, { token: null, body: { Username: client.clientId, Password: 'x' } });
    expect(wrong.body).toEqual(problemShape('credentials_invalid', 401));
    const missing = await world.post(path, { token: null, body: { username: 'x' } });
    expect(missing.body).toMatchObject({
      code: 'validation_failed',
      errors: { Username: ['is required'], Password: ['is required'], username: expect.any(Array) },
    });
  });
});

test('GET /.well-known/jwks.json returns only the public key', async () => {
  const { body } = await world.request('/.well-known/jwks.json', { token: null });
  expect(body).toEqual({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), use: 'sig', alg: 'EdDSA' }],
  });
});

test('POST /v1/authentication returns 503 if the database is not available', async () => {
  const worldWithoutDatabase = await ApiWorld.open();
  const response = await worldWithoutDatabase.post('/v1/authentication', {
    token: null,
    body: { Username: 'a', Password: 'b' },
  });
  expect(response.body).toEqual(problemShape('service_unavailable', 503));
  await worldWithoutDatabase.close();
});
