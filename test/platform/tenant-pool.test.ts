import { createLogger } from '../../platform/logger';
import { isOutage } from '../../platform/outage';
import { openPool, type Pool, postgresTimeouts } from '../../platform/postgres/postgres';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { startPostgres, type TestPostgres } from '../support/postgres';

const size = 10;
/** Statements of each slow tenant: more than a pool has connections. */
const slowStatements = 2 * size;

let postgres: TestPostgres;
let pool: Pool;
/** A pool of its own, as for another process. Its connection holds the lock for which the slow statements wait. */
let lockPool: Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  const address = await postgres.createDatabase();
  // Shorter than a statement may take, as in production. Other tests wait longer.
  postgresTimeouts.connectionMs = 2_000;
  pool = openPool(address, createLogger('test', 'silent'), size);
  lockPool = openPool(address, createLogger('test', 'silent'), 1);
});
afterAll(async () => {
  await Promise.all([pool.end(), lockPool.end()]);
  await postgres.stop();
});

/** Runs `work` while each of `tenants` has more waiting statements than the pool has connections. Returns the results of the statements. */
async function whileSlow(tenants: readonly string[], work: () => Promise<void>) {
  const lock = await lockPool.connect();
  await lock.query('select pg_advisory_lock(1)');
  const waitForLock = () => pool.query('select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)');
  const statements = tenants.flatMap((tenant) =>
    Array.from({ length: slowStatements }, () => asTenant(tenant, waitForLock)),
  );
  const results = Promise.allSettled(statements);
  try {
    await work();
  } finally {
    await lock.query('select pg_advisory_unlock(1)');
    lock.release();
  }
  return results;
}

test('a tenant gets a connection at once while all statements of two other tenants are slow', async () => {
  await whileSlow(['slow', 'slower'], async () => {
    const { rows } = await asTenant('idle', () => pool.query(`select current_setting('countersign.tenant') as tenant`));
    expect(rows).toEqual([{ tenant: 'idle' }]);
  });
});

test('the statements above the share of a tenant wait, and count as an outage if they wait too long', async () => {
  let failures: unknown[] = [];
  const results = await whileSlow(['slow'], async () => {
    const waiting = await Promise.allSettled(
      Array.from({ length: slowStatements }, () => asTenant('slow', () => pool.query('select 1'))),
    );
    failures = waiting.map((result) => (result.status === 'rejected' ? result.reason : 'no failure'));
  });
  expect(failures.map(isOutage)).toEqual(Array.from({ length: slowStatements }, () => true));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});

test('work of the service takes every connection, and every connection can be used again', async () => {
  const connections = await Promise.all(Array.from({ length: size }, () => pool.connect()));
  for (const connection of connections) connection.release();
  const again = await Promise.all(Array.from({ length: size }, () => pool.connect()));
  for (const connection of again) connection.release(new Error('broken'));
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});
