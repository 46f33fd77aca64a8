import { metrics } from '@opentelemetry/api';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-node';
import { createLogger } from '../../platform/logger';
import { isOutage } from '../../platform/outage';
import { findFreePort } from '../../dev/stack/free-port';
import { observePools, openPool, type Pool, postgresTimeouts } from '../../platform/postgres/postgres';
import { startMetrics } from '../../platform/telemetry/metrics';
import { startRequestSpan } from '../../platform/telemetry/spans';
import { startTraces } from '../../platform/telemetry/traces';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { startPostgres, type TestPostgres } from '../support/postgres';

const size = 10;
/** Statements of each slow tenant: more than a pool has connections. */
const slowStatements = 2 * size;

let postgres: TestPostgres;
let pool: ReturnType<typeof openPool>;
let address: string;
/** A pool of its own, as for another process. Its connection holds the lock for which the slow statements wait. */
let lockPool: Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  address = await postgres.createDatabase();
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

test('callers that wait for their turn are counted, also those of a tenant that has used up its share', async () => {
  await whileSlow(['slow'], async () => {
    await pool.query('select 1');
    expect(pool.turnsWaiting).toBe(slowStatements - Math.ceil((size * 2) / 5));
  });
  expect(pool.turnsWaiting).toBe(0);
});

test.each([
  ['directly', false],
  ['through a pooler', true],
])('a statement that runs %s is a step of the trace, without its values', async (_, isPooler) => {
  const names: string[] = [];
  const exporter = new InMemorySpanExporter();
  const exportSpans = exporter.export.bind(exporter);
  exporter.export = (spans, done) => {
    names.push(...spans.map(({ name }) => name));
    exportSpans(spans, done);
  };
  const logger = createLogger('test', 'silent');
  const traced = openPool({ DATABASE_URL: address, ...(isPooler && { DATABASE_DIRECT_URL: address }) }, logger, 1);
  const stop = startTraces({ OTEL_TRACES_EXPORTER: 'otlp' }, 'test', logger, () => exporter);
  const request = startRequestSpan('GET', {});
  await request.run(() => traced.query('select relname from pg_class where relname = $1', ['secret']));
  request.end('/', { 'http.response.status_code': 200 });
  await stop();
  await traced.end();
  expect(names).toContain('select pg_class');
  expect(names.join(' ')).not.toContain('secret');
});

test('the metrics have the connections of all pools of the process', async () => {
  const config = {
    OTEL_METRICS_EXPORTER: 'prometheus' as const,
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: await findFreePort(),
  };
  const { stop } = await startMetrics(config, 'test');
  observePools();
  const readUsed = async () => {
    const text = await (await fetch(`http://127.0.0.1:${config.OTEL_EXPORTER_PROMETHEUS_PORT}/metrics`)).text();
    return Number(/db_client_connections\{state="used"\} (\d+)/.exec(text)?.[1]);
  };
  const usedBefore = await readUsed();
  const connections = [await pool.connect(), await lockPool.connect()];
  const used = await readUsed();
  for (const connection of connections) connection.release();
  stop();
  metrics.disable();
  expect(used).toBe(usedBefore + 2);
});
