import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { saveClient } from '../../api/clients/clients';
import { loadLocalSecrets } from '../../dev/stack/local-secrets';
import { registerInbox } from '../../dev/stack/register-inbox';
import { readStackSettings } from '../../dev/stack/settings';
import { ApiWorld } from '../api/api-world';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { type InboxWorld, openInboxWorld } from './inbox-world';

const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-register-'));
let postgres: TestPostgres;
let api: ApiWorld;
let inbox: InboxWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  api = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase(), COUNTERSIGN_ENV: 'local' });
  inbox = await openInboxWorld();
  for (const client of loadLocalSecrets(dataDir).clients)
    await saveClient(api.dependencies.pool, { ...client, scopes: ['*'] });
});
afterAll(async () => {
  await inbox.stop();
  await api.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

/** As at a start of the stack. */
const start = () =>
  registerInbox(
    readStackSettings('/', {
      DATA_DIR: dataDir,
      PORT: new URL(api.address).port,
      INBOX_PORT: new URL(inbox.inbox.url).port,
    }),
  );

const readWebhooks = async () => {
  const { body } = await api.request('/v1/webhooks');
  return (body as { webhooks: { id: string; url: string; events: string[] }[] }).webhooks;
};

test('a start changes only the webhook of the inbox, also if another webhook has the same path or the same URL', async () => {
  const inboxUrl = `${inbox.inbox.url}/webhooks/local`;
  for (const url of ['http://127.0.0.1:9/webhooks/local', inboxUrl])
    expect((await api.post('/v1/webhooks', { body: { url, events: ['transaction.*'] } })).status).toBe(201);
  const own = await readWebhooks();
  await start();
  const [added, ...others] = (await readWebhooks()).filter(({ id }) => !own.some((one) => one.id === id));
  expect(added).toMatchObject({ url: inboxUrl, events: ['flow_run.notified'] });
  expect(others).toEqual([]);
  await start();
  const after = await readWebhooks();
  expect(after.filter(({ id }) => id !== added?.id)).toEqual(own);
  expect(after.map(({ id }) => id)).toContain(added?.id);

  await api.request(`/v1/webhooks/${added?.id}`, { method: 'DELETE' });
  await start();
  expect((await readWebhooks()).filter(({ events }) => events.includes('flow_run.notified'))).toHaveLength(1);
});
