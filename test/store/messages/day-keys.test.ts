import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { PostgresDayKeys } from '../../../store/messages/day-keys';
import {
  claimProviderEvent,
  decryptProviderEvent,
  markProviderEventDone,
  saveProviderEvent,
} from '../../../store/messages/provider-events.sql';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

const dayMs = 86_400_000;

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** Opens the day keys as a new process does, without a key in memory. */
const openKeys = () => new PostgresDayKeys(pool, testKeys.serviceKeys);

/** Runs `work` with the clock of `days` days ago. */
async function daysAgo<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - days * dayMs);
  return work().finally(() => clock.mockRestore());
}

test('the key of a day is destroyed when the day is more than two days ago, and is never created again', async () => {
  const keys = openKeys();
  const before: { day: string; key: Buffer }[] = [];
  for (const days of [3, 2, 0]) before.push(await daysAgo(days, () => keys.current()));
  for (const { day, key } of before) expect(await openKeys().find(day)).toEqual(key);
  // Another process destroys the keys. This process must not keep them in memory.
  await openKeys().deleteOld();
  for (const process of [keys, openKeys()]) {
    const after = await Promise.all(before.map(({ day }) => process.find(day)));
    expect(after).toEqual([undefined, before[1]?.key, before[2]?.key]);
  }
});

test('the key of a day stays until all replies and delivery statuses of the day are processed', async () => {
  await daysAgo(4, () => saveProviderEvent(pool, openKeys(), 'event', { kind: 'status' }));
  await openKeys().deleteOld();
  const event = await claimProviderEvent(pool);
  if (!event) throw new Error('The event was not claimed.');
  expect(await decryptProviderEvent(openKeys(), event)).toEqual({ kind: 'status' });

  await markProviderEventDone(pool, 'event');
  await openKeys().deleteOld();
  expect(await decryptProviderEvent(openKeys(), event)).toBeUndefined();
});
