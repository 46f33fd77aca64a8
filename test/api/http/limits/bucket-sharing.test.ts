import { BucketSharing } from '../../../../api/http/limits/bucket-sharing';
import { TokenBuckets } from '../../../../platform/token-buckets';
import { deleteFullBuckets } from '../../../../store/rate-limits.sql';
import { createLogger } from '../../../../platform/logger';
import { openPool, type Pool } from '../../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../../support/postgres';

const logger = createLogger('test', 'silent');
/** A bucket of ten tokens. Each request takes one, and one is added per minute, so none is added during a test. */
const policy = { quota: 10, windowSeconds: 600 };
let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), logger, 4);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** An API process that shares its buckets only when a test calls `share`. `takeMany` returns the number of allowed requests. */
function startProcess(database = pool) {
  const buckets = new TokenBuckets();
  const sharing = new BucketSharing(buckets, { pool: database, logger });
  sharing.stop();
  const takeMany = (key: string, count: number) =>
    Array.from({ length: count }, () => buckets.take(key, policy)).filter(({ allowed }) => allowed).length;
  return { takeMany, share: () => sharing.run() };
}

test('requests to one process also use up the limit in the other processes', async () => {
  const [one, other] = [startProcess(), startProcess()];
  expect(one.takeMany('shared', 7)).toBe(7);
  await one.share();
  expect(other.takeMany('shared', 1)).toBe(1);
  await other.share();
  expect(other.takeMany('shared', 20)).toBe(2);
});

test('if three processes together allow three times the quota, new requests are rejected, and the bucket fills in 30 minutes', async () => {
  const processes = [startProcess(), startProcess(), startProcess()];
  for (const { takeMany } of processes) expect(takeMany('debt', 10)).toBe(10);
  for (const { share } of processes) await share();
  const { rows } = await pool.query<{ seconds: number }>(
    "select extract(epoch from full_at - now())::int as seconds from rate_limits where key = 'debt'",
  );
  // The processes took 30 tokens. One is added per minute.
  expect(rows[0]?.seconds).toBeGreaterThan(1_700);
  for (const { takeMany } of processes.slice(-1)) expect(takeMany('debt', 5)).toBe(0);
});

test('processes that share the same buckets at the same time do not block each other', async () => {
  const processes = [startProcess(), startProcess(), startProcess(), startProcess()];
  const keys = Array.from({ length: 200 }, (_, index) => `many-${index}`);
  processes.forEach(({ takeMany }, index) => {
    for (const key of index % 2 ? keys : keys.toReversed()) takeMany(key, 1);
  });
  await Promise.all(processes.map(({ share }) => share()));
  const { rows } = await pool.query<{ least: number }>(
    "select min(extract(epoch from full_at - now()))::int as least from rate_limits where key like 'many-%'",
  );
  // Each of the four processes took a token from each bucket. One is added per minute.
  expect(rows[0]?.least).toBeGreaterThan(150);
});

test('without Postgres, each process limits its own requests', async () => {
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/none', logger, 1);
  const isolated = startProcess(unreachable);
  expect(isolated.takeMany('outage', 15)).toBe(10);
  await isolated.share();
  expect(isolated.takeMany('outage', 5)).toBe(0);
  await isolated.share();
  await unreachable.end();
});

test('full buckets are deleted, and others are not', async () => {
  await pool.query(
    "insert into rate_limits (key, full_at) values ('full', now() - interval '1 s'), ('used', now() + interval '1 h')",
  );
  await deleteFullBuckets(pool);
  const { rows } = await pool.query("select key from rate_limits where key in ('full', 'used')");
  expect(rows).toEqual([{ key: 'used' }]);
});
