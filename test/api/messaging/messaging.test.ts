import { readAuditEntries } from '../../../platform/audit';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape } from '../api-world';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

const path = '/v1/messaging';
const body = {
  providers: { mail: { kind: 'smtp', url: 'smtps://user:a-secret-word@mail.example' } },
  channels: { email: { providers: [{ provider: 'mail', sender: 'a@acme.example' }] } },
};

test('settings are saved encrypted, shown without secrets, and deleted', async () => {
  expect((await world.request(path)).body).toMatchObject(problemShape('messaging_not_found', 404));
  const put = await world.request(path, { method: 'PUT', body });
  expect([put.status, JSON.stringify(put.body)]).toEqual([200, expect.not.stringContaining('a-secret-word')]);
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from own_messaging');
  expect(rows.map(({ sealed }) => sealed.includes('mail.example'))).toEqual([false]);
  expect((await world.request(path)).body).toEqual(put.body);
  const { providers } = (await world.request('/v1/providers')).body as { providers: { provider: string }[] };
  expect(providers.map(({ provider }) => provider)).toEqual(['twilio', 'own/mail', 'twilio', 'twilio']);
  expect((await world.request(path, { method: 'DELETE' })).status).toBe(204);
  expect((await world.request(path)).status).toBe(404);
  expect((await world.request(path, { method: 'DELETE' })).status).toBe(404);
  const keysLeft = await pool.query(`select from data_keys where purpose = 'messaging'`);
  expect(keysLeft.rows).toEqual([]);
  const actions = (await readAuditEntries(pool, { tenant: 'local', owner: 'messaging' }, 10)).map(
    ({ action }) => action,
  );
  expect(actions).toEqual(['messaging_deleted', 'messaging_changed']);
});

test('wrong settings are rejected with the place of each error, and change nothing', async () => {
  const wrong = { ...body, channels: { email: { providers: [{ provider: 'other', sender: 'a@acme.example' }] } } };
  const { status, body: problem } = await world.request(path, { method: 'PUT', body: wrong });
  expect([status, JSON.stringify(problem)]).toEqual([
    400,
    expect.stringContaining('must be a provider of this file: mail'),
  ]);
  expect((await world.request(path)).status).toBe(404);
});
