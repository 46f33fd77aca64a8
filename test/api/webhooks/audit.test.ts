import { readAuditEntries } from '../../../platform/audit';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

let postgres: TestPostgres;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

test('a repeated PUT of a webhook has the same answer, and only the first is in the audit log', async () => {
  const settings = { url: 'https://caller.example/hooks', events: ['confirmation.*'] };
  const created = await world.post('/v1/webhooks', { body: settings });
  const { id } = created.body as { id: string };
  const put = (body: object) => world.request(`/v1/webhooks/${id}`, { method: 'PUT', body });
  const [first, repeat] = [await put({ ...settings, events: ['*'] }), await put({ ...settings, events: ['*'] })];
  expect(first.status).toBe(200);
  expect(repeat.body).toEqual(first.body);
  expect((await put({ ...settings, enabled: false })).status).toBe(200);
  const entries = await readAuditEntries(world.dependencies.pool, { tenant: 'local', owner: id }, 10);
  expect(entries.map(({ action }) => action)).toEqual(['webhook_changed', 'webhook_changed', 'webhook_created']);
});
