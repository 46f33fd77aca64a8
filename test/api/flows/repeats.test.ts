import { deleteOldFlowRequests } from '../../../store/flows/flow-activations.sql';
import { problemShape } from '../api-world';
import { FlowWorld, buildPauseFlow } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const conflict = problemShape('idempotency_conflict', 409);

test('a retried PUT returns the first response, even after other changes', async () => {
  const first = await world.put('late', buildPauseFlow(1), withKey('late-1'));
  await world.put('late', buildPauseFlow(2));
  const repeat = await world.put('late', buildPauseFlow(1), withKey('late-1'));
  expect([repeat.status, repeat.body]).toEqual([201, first.body]);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect((await world.get('/v1/flows/late')).body).toMatchObject({ newest: 2 });
});

test('a retried rollback goes back one version only', async () => {
  await world.createVersions('once', 3, { activate: [1, 2, 3] });
  const first = await world.rollBack('once', withKey('once-1'));
  const repeat = await world.rollBack('once', withKey('once-1'));
  expect(repeat.body).toEqual(first.body);
  expect((await world.get('/v1/flows/once')).body).toMatchObject({ active: 2 });
  expect(await world.rollBack('once', withKey('once-2'))).toMatchObject({ body: { version: 1 } });
});

test('a retried deletion or activation returns the first response', async () => {
  await world.createVersions('gone', 2);
  const firstActivation = await world.activate('gone', 1, withKey('gone-1'));
  await world.activate('gone', 2);
  expect((await world.activate('gone', 1, withKey('gone-1'))).body).toEqual(firstActivation.body);
  expect((await world.get('/v1/flows/gone')).body).toMatchObject({ active: 2 });
  const firstDeletion = await world.deleteVersion('gone', 1, withKey('gone-2'));
  expect((await world.deleteVersion('gone', 1, withKey('gone-2'))).body).toEqual(firstDeletion.body);
});

test('the idempotency key of one request is rejected for any other request', async () => {
  await world.createVersions('single', 2, { activate: [1, 2] });
  await world.activate('single', 1, withKey('single-1'));
  expect((await world.activate('single', 2, withKey('single-1'))).body).toEqual(conflict);
  expect((await world.rollBack('single', withKey('single-1'))).body).toEqual(conflict);
  expect((await world.put('single', buildPauseFlow(7), withKey('single-1'))).body).toEqual(conflict);
  expect((await world.put('another', buildPauseFlow(1), withKey('single-1'))).body).toEqual(conflict);
  expect((await world.get('/v1/flows/another')).status).toBe(404);
});

test('tenants may use the same idempotency key, and the key of a failed request can be used again', async () => {
  const otherTenant = { token: await world.api.issueToken('other') };
  expect((await world.activate('soon', 1, withKey('soon-1'))).status).toBe(404);
  await world.createVersions('soon', 1);
  expect((await world.activate('soon', 1, withKey('soon-1'))).status).toBe(200);
  expect((await world.put('soon', buildPauseFlow(5), { ...withKey('soon-1'), ...otherTenant })).status).toBe(201);
});

test('an invalid idempotency key is rejected', async () => {
  const invalid = problemShape('idempotency_key_invalid', 400);
  expect((await world.put('odd', buildPauseFlow(1), withKey('a b'))).body).toEqual(invalid);
  expect((await world.deleteVersion('odd', 1, withKey('a b'))).body).toEqual(invalid);
});

test('of ten concurrent requests with the same idempotency key, only one is carried out, and all get its response', async () => {
  await world.createVersions('storm', 3, { activate: [1, 2, 3] });
  const responses = await Promise.all(Array.from({ length: 10 }, () => world.rollBack('storm', withKey('storm-1'))));
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await world.get('/v1/flows/storm')).body).toMatchObject({ active: 2 });
});

test('of two concurrent requests with the same idempotency key for different flows, one is rejected', async () => {
  const responses = await Promise.all(
    ['left', 'right'].map((name) => world.put(name, buildPauseFlow(1), withKey('either'))),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test('a day after a request, its idempotency key can be used for a different request, and the row of the key is deleted', async () => {
  const { pool } = world.api.dependencies;
  const ageRequests = () => pool.query("update flow_requests set at = at - interval '25 hours'");
  const rows = async () => (await pool.query('select key from flow_requests')).rows;
  await world.createVersions('aged', 2, { activate: [1] });
  await world.activate('aged', 1, withKey('aged-1'));
  await ageRequests();
  expect((await world.activate('aged', 2, withKey('aged-1'))).status).toBe(200);
  await deleteOldFlowRequests(pool);
  expect(await rows()).toEqual([{ key: 'aged-1' }]);
  await ageRequests();
  await deleteOldFlowRequests(pool);
  expect(await rows()).toEqual([]);
});
