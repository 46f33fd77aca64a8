import { ClientVersions } from '../../../api/clients/client-versions';
import { makeClient, makeSecret, type NewClient, saveClient } from '../../../api/clients/clients';
import { addSecret, listSecrets, removeSecret, revokeClient, updateScopes } from '../../../api/clients/clients.sql';
import { seenWithinSeconds } from '../../../platform/postgres/polled-value';
import { fakeIntervals } from '../../support/fake-intervals';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';
import { ApiWorld, problemShape } from '../api-world';

let postgres: TestPostgres;
let databaseUrl: string;
/** Two API processes with one database. */
let worlds: [ApiWorld, ApiWorld];
beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  worlds = [await ApiWorld.open({ DATABASE_URL: databaseUrl }), await ApiWorld.open({ DATABASE_URL: databaseUrl })];
});
afterAll(async () => {
  for (const world of worlds) await world.close();
  await postgres.stop();
});

/** An unknown transaction. With an accepted token, the answer is 404. */
const path = '/v1/transaction/01900000-0000-7000-8000-000000000000';

async function addClient(): Promise<NewClient> {
  const client = makeClient('acme', ['transaction:read', 'flows:read']);
  await saveClient(worlds[0].dependencies.pool, client);
  return client;
}

async function getToken({ clientId, clientSecret }: NewClient): Promise<string> {
  const response = await worlds[0].post('/v1/authentication', {
    token: null,
    body: { Username: clientId, Password: clientSecret },
  });
  return (response.body as { token: string }).token;
}

/** The statuses from the two API processes. */
const statusesOf = (token: string) =>
  Promise.all(worlds.map(async (world) => (await world.request(path, { token })).status));

const waitUntilRejected = (token: string) =>
  waitUntil(async () => (await statusesOf(token)).every((status) => status === 401));

type Change = (client: NewClient) => Promise<unknown>;
const pool = () => worlds[0].dependencies.pool;

const makeClientWithOtherSecret = (client: NewClient): NewClient => ({ ...client, clientSecret: makeSecret().secret });

async function removeFirstSecret(clientId: string): Promise<void> {
  const [first] = await listSecrets(pool(), clientId);
  expect(await removeSecret(pool(), clientId, first?.id ?? '')).toBe(true);
}

test.each<[string, Change]>([
  ['was revoked', ({ clientId }) => revokeClient(pool(), clientId)],
  ['lost a scope', ({ clientId }) => updateScopes(pool(), clientId, ['flows:read'])],
  ['lost its secret', ({ clientId }) => removeFirstSecret(clientId)],
  ['got another secret when the API started', (client) => saveClient(pool(), makeClientWithOtherSecret(client))],
  ['lost a scope when the API started', (client) => saveClient(pool(), { ...client, scopes: ['flows:read'] })],
  [
    'was changed directly in the database',
    ({ clientId }) => pool().query("update clients set scopes = '{flows:read}' where client_id = $1", [clientId]),
  ],
])('all API processes reject an access token whose client %s, also after a restart', async (_, change) => {
  const client = await addClient();
  const [token, otherToken] = [await getToken(client), await getToken(await addClient())];
  expect(await statusesOf(token)).toEqual([404, 404]);
  await change(client);
  await waitUntilRejected(token);
  const response = await worlds[1].request(path, { token });
  expect(response.body).toEqual(problemShape('unauthorized', 401));
  expect(response.headers.get('www-authenticate')).toContain('invalid_token');
  expect(await statusesOf(otherToken)).toEqual([404, 404]);
  const restarted = await ApiWorld.open({ DATABASE_URL: databaseUrl });
  expect((await restarted.request(path, { token })).status).toBe(401);
  await restarted.close();
});

test('after the older of two secrets is removed, its tokens are rejected, and tokens of the other secret work', async () => {
  const client = await addClient();
  const { secret, stored } = makeSecret();
  expect(await addSecret(pool(), client.clientId, stored)).toBe('added');
  const [oldToken, newToken] = [await getToken(client), await getToken({ ...client, clientSecret: secret })];
  expect([await statusesOf(oldToken), await statusesOf(newToken)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
  await removeFirstSecret(client.clientId);
  await waitUntilRejected(oldToken);
  expect(await statusesOf(newToken)).toEqual([404, 404]);
  expect(await statusesOf(await getToken({ ...client, clientSecret: secret }))).toEqual([404, 404]);
  expect(await getToken(client)).toBeUndefined();
});

test('a changed client gets a new access token, with its new scopes', async () => {
  const client = await addClient();
  const token = await getToken(client);
  await updateScopes(pool(), client.clientId, ['flows:read']);
  const newToken = await getToken(client);
  await waitUntilRejected(token);
  expect(await statusesOf(newToken)).toEqual([403, 403]);
});

test('when the API starts and saves an unchanged client again, the access tokens of this client stay valid', async () => {
  const [client, changed] = [await addClient(), await addClient()];
  const [token, changedToken] = [await getToken(client), await getToken(changed)];
  await saveClient(pool(), client);
  await revokeClient(pool(), changed.clientId);
  await waitUntilRejected(changedToken);
  expect(await statusesOf(token)).toEqual([404, 404]);
});

test('half of the promised time after a revocation, a process reads the change, so the other half is left for the read', async () => {
  fakeIntervals();
  const world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
  const versions = new ClientVersions(world.dependencies);
  world.dependencies.clientVersions = versions;
  await versions.load();
  const client = await addClient();
  const token = await getToken(client);
  const read = async () => (await world.request(path, { token })).status;
  expect(await read()).toBe(404);
  await revokeClient(pool(), client.clientId);
  const query = jest.spyOn(world.dependencies.pool, 'query');
  jest.advanceTimersByTime((seenWithinSeconds * 1_000) / 2);
  expect(query).toHaveBeenCalled();
  // Waits for the read that runs. It starts no other read.
  await versions.load();
  expect(await read()).toBe(401);
  versions.stop();
  await world.close();
  jest.useRealTimers();
});

test('a process that has not read the clients yet accepts no access token', async () => {
  const world = await ApiWorld.open();
  const versions = new ClientVersions(world.dependencies);
  world.dependencies.clientVersions = versions;
  expect((await world.request(path)).body).toEqual(problemShape('service_unavailable', 503));
  expect(versions.isLoaded).toBe(false);
  versions.stop();
  await world.close();
});
