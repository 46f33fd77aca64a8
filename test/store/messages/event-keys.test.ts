import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { dayOf, EventKeys } from '../../../store/messages/event-keys';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

const dayMs = 86_400_000;
const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * dayMs));

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const openKeys = () => new EventKeys(pool, testKeys.masterKeys);

test('the key of a day is destroyed after two days, and then no process has it', async () => {
  const keys = openKeys();
  const days = [daysAgo(3), daysAgo(2), daysAgo(0)];
  const before = await Promise.all(days.map((day) => keys.get(day)));
  expect(await Promise.all(days.map((day) => openKeys().get(day)))).toEqual(before);
  await keys.deleteOld();
  for (const process of [keys, openKeys()]) {
    const after = await Promise.all(days.map((day) => process.get(day)));
    expect(after.map((key, index) => before[index]?.equals(key))).toEqual([false, true, true]);
  }
});
