import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { addLaneCounts, saveLaneStates } from '../../../store/messages/provider-health.sql';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  const twilio = { kind: 'twilio', accountSid: 'AC0', authToken: 'a-secret-token' };
  const senders = (...names: string[]) => ({
    providers: names.map((provider) => ({ provider, sender: '+15550001111' })),
  });
  world = await ApiWorld.open({
    DATABASE_URL: databaseUrl,
    MESSAGING: JSON.stringify({
      providers: {
        first: twilio,
        second: twilio,
        mail: { kind: 'smtp', url: 'smtp://user:a-secret-word@mail.example' },
      },
      channels: { sms: senders('second', 'first'), whatsapp: senders('first'), email: senders('mail') },
    }),
  });
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

const none = { accepted: 0, refused: 0, unknown: 0 };
const since = '2026-01-31T12:00:00.000Z';
const lane = (provider: string, country: string) => ({ owner: '*', channel: 'sms', provider, country }) as const;

test('shows the providers in the order of the settings, with the worst state of all workers, and the counts of the tenant', async () => {
  const { status, body } = await world.request('/v1/providers');
  expect([status, body]).toEqual([
    200,
    {
      providers: [
        { channel: 'sms', provider: 'second', state: 'working', lastHour: none },
        { channel: 'sms', provider: 'first', state: 'working', lastHour: none },
        { channel: 'email', provider: 'mail', state: 'working', lastHour: none },
        { channel: 'whatsapp', provider: 'first', state: 'working', lastHour: none },
      ],
    },
  ]);
  await saveLaneStates(pool, 'worker-1', [{ ...lane('first', '55'), state: 'failing', since }]);
  await saveLaneStates(pool, 'worker-2', [
    { ...lane('first', '55'), state: 'slow', since: '2026-01-31T13:00:00.000Z' },
    { ...lane('first', '351'), state: 'slow', since },
  ]);
  const counts = { tenant: 'local', ...lane('second', '55'), accepted: 3, refused: 1, unknown: 2 };
  for (let round = 0; round < 2; round += 1)
    await addLaneCounts(pool, [counts, { ...counts, tenant: 'others', accepted: 100 }]);
  const { providers } = (await world.request('/v1/providers')).body as { providers: { channel: string }[] };
  expect(providers.filter(({ channel }) => channel === 'sms')).toEqual([
    {
      channel: 'sms',
      provider: 'second',
      country: '55',
      state: 'working',
      lastHour: { accepted: 6, refused: 2, unknown: 4 },
    },
    { channel: 'sms', provider: 'first', country: '351', state: 'slow', since, lastHour: none },
    { channel: 'sms', provider: 'first', country: '55', state: 'failing', since, lastHour: none },
  ]);
});

test('a state ends when its worker no longer names it', async () => {
  await saveLaneStates(pool, 'worker-1', []);
  await saveLaneStates(pool, 'worker-2', []);
  const { body } = await world.request('/v1/providers');
  expect(JSON.stringify(body)).not.toMatch(/slow|failing/);
});

test('shows no secrets', async () => {
  expect(JSON.stringify((await world.request('/v1/providers')).body)).not.toContain('a-secret');
});
