import { deleteOldFlowRequests } from '../../../store/flows/flow-requests.sql';
import { problemShape } from '../api-world';
import { FlowWorld, pauseOf } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const conflict = problemShape('idempotency_conflict', 409);

test('a retried PUT returns the first response, whatever happened in between', async () => {
  const first = await world.put('late', pauseOf(1), keyed('late-1'));
  await world.put('late', pauseOf(2));
  const repeat = await world.put('late', pauseOf(1), keyed('late-1'));
  expect([repeat.status, repeat.body]).toEqual([201, first.body]);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect((await world.get('/v1/flows/late')).body).toMatchObject({ newest: 2 });
});

test('a retried rollback goes back once', async () => {
  await world.createVersions('once', 3, 1, 2, 3);
  const first = await world.rollBack('once', keyed('once-1'));
  const repeat = await world.rollBack('once', keyed('once-1'));
  expect(repeat.body).toEqual(first.body);
  expect((await world.get('/v1/flows/once')).body).toMatchObject({ active: 2 });
  expect(await world.rollBack('once', keyed('once-2'))).toMatchObject({ body: { version: 1 } });
});

test('a retried deletion or activation returns the first response', async () => {
  await world.createVersions('gone', 2);
  const activated = await world.activate('gone', 1, keyed('gone-1'));
  await world.activate('gone', 2);
  expect((await world.activate('gone', 1, keyed('gone-1'))).body).toEqual(activated.body);
  expect((await world.get('/v1/flows/gone')).body).toMatchObject({ active: 2 });
  const deleted = await world.remove('gone', 1, keyed('gone-2'));
  expect((await world.remove('gone', 1, keyed('gone-2'))).body).toEqual(deleted.body);
});

test('a key is valid for one request only', async () => {
  await world.createVersions('single', 2, 1, 2);
  await world.activate('single', 1, keyed('single-1'));
  expect((await world.activate('single', 2, keyed('single-1'))).body).toEqual(conflict);
  expect((await world.rollBack('single', keyed('single-1'))).body).toEqual(conflict);
  expect((await world.put('single', pauseOf(7), keyed('single-1'))).body).toEqual(conflict);
  expect((await world.put('another', pauseOf(1), keyed('single-1'))).body).toEqual(conflict);
  expect((await world.get('/v1/flows/another')).status).toBe(404);
});

test('tenants may use the same key, and an error saves none', async () => {
  const other = { token: await world.api.tokenOf('other') };
  expect((await world.activate('soon', 1, keyed('soon-1'))).status).toBe(404);
  await world.createVersions('soon', 1);
  expect((await world.activate('soon', 1, keyed('soon-1'))).status).toBe(200);
  expect((await world.put('soon', pauseOf(5), { ...keyed('soon-1'), ...other })).status).toBe(201);
});

test('an invalid key is rejected', async () => {
  const invalid = problemShape('idempotency_key_invalid', 400);
  expect((await world.put('odd', pauseOf(1), keyed('a b'))).body).toEqual(invalid);
  expect((await world.remove('odd', 1, keyed('a b'))).body).toEqual(invalid);
});

test('ten concurrent retries run once', async () => {
  await world.createVersions('storm', 3, 1, 2, 3);
  const responses = await Promise.all(Array.from({ length: 10 }, () => world.rollBack('storm', keyed('storm-1'))));
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await world.get('/v1/flows/storm')).body).toMatchObject({ active: 2 });
});

test('one key for two concurrent flows is used by one of them', async () => {
  const responses = await Promise.all(['left', 'right'].map((name) => world.put(name, pauseOf(1), keyed('either'))));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test('after a day a key is free again, and its row is deleted', async () => {
  const { pool } = world.api.dependencies;
  const age = () => pool.query("update flow_requests set at = at - interval '25 hours'");
  const rows = async () => (await pool.query('select key from flow_requests')).rows;
  await world.createVersions('aged', 2, 1);
  await world.activate('aged', 1, keyed('aged-1'));
  await age();
  expect((await world.activate('aged', 2, keyed('aged-1'))).status).toBe(200);
  await deleteOldFlowRequests(pool);
  expect(await rows()).toEqual([{ key: 'aged-1' }]);
  await age();
  await deleteOldFlowRequests(pool);
  expect(await rows()).toEqual([]);
});
