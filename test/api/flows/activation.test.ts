import { ApiWorld, person, problemShape } from '../api-world';
import { FlowWorld, buildPauseFlow } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const anyInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const clientId = 'client-of-local';
const readActiveVersion = async (name: string) =>
  (await world.api.dependencies.flowStore.findActive('local', name))?.version;

test('no version of a flow is active until the first activation, and then the activated version is used', async () => {
  await world.createVersions('first', 2);
  expect(await readActiveVersion('first')).toBeUndefined();
  const response = await world.activate('first', 2);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ name: 'first', version: 2, activatedAt: anyInstant, activatedBy: clientId });
  expect(await world.api.dependencies.flowStore.findActive('local', 'first')).toEqual({
    name: 'first',
    version: 2,
    ...buildPauseFlow(2),
  });
  expect((await world.activate('first', 1)).body).toMatchObject({ version: 1, previous: 2 });
  expect(await readActiveVersion('first')).toBe(1);
});

test('a flow that was never activated, or does not exist, cannot start, and no transaction is created', async () => {
  await world.createVersions('waiting', 1);
  const { path } = await world.api.createTransaction();
  const [countBefore, notActive] = [world.api.transactions.states.size, problemShape('flow_not_active', 409)];
  const start = (name: string) => world.request('POST', `${path}/flows/${name}`);
  const create = (name: string) => world.request('POST', `/v1/transaction?flow=${name}`, { body: person });
  expect((await start('waiting')).body).toEqual(notActive);
  expect((await create('waiting')).body).toEqual(notActive);
  expect((await create('not-there')).body).toEqual(problemShape('flow_not_found', 404));
  expect(world.api.transactions.states.size).toBe(countBefore);
  await world.activate('waiting', 1);
  expect((await start('waiting')).status).toBe(201);
  expect((await create('waiting')).status).toBe(201);
});

test('a flow cannot be started if it belongs to another tenant, or if all its versions are deleted', async () => {
  await world.createVersions('left', 1);
  const { path } = await world.api.createTransaction();
  const otherTenant = { token: await world.api.issueToken('other') };
  const problem = problemShape('flow_not_found', 404);
  const create = () => world.request('POST', '/v1/transaction?flow=left', { body: person, ...otherTenant });
  expect((await create()).body).toEqual(problem);
  await world.deleteVersion('left', 1);
  expect((await world.request('POST', `${path}/flows/left`)).body).toEqual(problem);
});

test('an activation without a version is rejected', async () => {
  const response = await world.request('POST', '/v1/flows/first/activate', { body: {} });
  expect(response.body).toMatchObject({ code: 'validation_failed', errors: { version: ['is required'] } });
});

test('an activation of the active version changes nothing', async () => {
  await world.createVersions('twice', 1);
  const [first, second] = [await world.activate('twice', 1), await world.activate('twice', 1)];
  expect(second.body).toEqual(first.body);
  expect(await world.readAuditLog('twice')).toHaveLength(2);
});

test('each rollback activates the version that was active before the current version', async () => {
  await world.createVersions('back', 3, { activate: [1, 2, 3] });
  expect((await world.rollBack('back')).body).toEqual({
    name: 'back',
    version: 2,
    activatedAt: anyInstant,
    activatedBy: clientId,
    previous: 3,
  });
  expect((await world.rollBack('back')).body).toMatchObject({ version: 1, previous: 2 });
  expect((await world.rollBack('back')).body).toEqual(problemShape('flow_no_earlier_version', 409));
  expect(await readActiveVersion('back')).toBe(1);
  await world.activate('back', 3);
  expect((await world.rollBack('back')).body).toMatchObject({ version: 1, previous: 3 });
});

test('a rollback skips deleted versions and the active version', async () => {
  await world.createVersions('gaps', 3, { activate: [1, 2, 3, 2, 3] });
  await world.deleteVersion('gaps', 2);
  expect((await world.rollBack('gaps')).body).toMatchObject({ version: 1, previous: 3 });
  await world.createVersions('same', 2, { activate: [1, 2, 1] });
  await world.deleteVersion('same', 2);
  expect((await world.rollBack('same')).body).toEqual(problemShape('flow_no_earlier_version', 409));
});

test('a rollback without an earlier version is rejected', async () => {
  await world.createVersions('draft', 2);
  expect((await world.rollBack('draft')).body).toEqual(problemShape('flow_no_earlier_version', 409));
  await world.activate('draft', 2);
  expect((await world.rollBack('draft')).body).toEqual(problemShape('flow_no_earlier_version', 409));
});

test('a deleted version is not found, and its number is not used again', async () => {
  await world.createVersions('short', 3, { activate: [1] });
  const response = await world.deleteVersion('short', 3);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ name: 'short', version: 3, deletedAt: anyInstant, deletedBy: clientId });
  const problem = problemShape('flow_version_not_found', 404);
  expect((await world.get('/v1/flows/short/versions/3')).body).toEqual(problem);
  expect((await world.activate('short', 3)).body).toEqual(problem);
  expect((await world.deleteVersion('short', 3)).body).toEqual(problem);
  expect((await world.get('/v1/flows/short')).body).toMatchObject({
    newest: 2,
    versions: [{ version: 2 }, { version: 1 }],
  });
  expect((await world.put('short', buildPauseFlow(3))).body).toMatchObject({ version: 4 });
});

test('a definition adds no version if it equals the newest version that is not deleted', async () => {
  await world.createVersions('newest', 2);
  await world.deleteVersion('newest', 2);
  expect(await world.put('newest', buildPauseFlow(1))).toMatchObject({ status: 200, body: { version: 1 } });
});

test('the active version cannot be deleted while other versions exist', async () => {
  await world.createVersions('kept', 2, { activate: [1, 2] });
  expect((await world.deleteVersion('kept', 2)).body).toEqual(problemShape('flow_version_active', 409));
  await world.rollBack('kept');
  expect((await world.deleteVersion('kept', 2)).status).toBe(200);
  expect((await world.deleteVersion('kept', 1)).status).toBe(200);
});

test('after the only version of a flow was deleted, the flow cannot start until a new version is activated', async () => {
  await world.createVersions('retired', 1, { activate: [1] });
  await world.deleteVersion('retired', 1);
  const store = world.api.dependencies.flowStore;
  expect(await store.findActive('local', 'retired')).toBeUndefined();
  await world.put('retired', buildPauseFlow(7));
  expect((await world.get('/v1/flows/retired')).body).toMatchObject({ newest: 2, versions: [{ version: 2 }] });
  expect((await world.get('/v1/flows/retired')).body).not.toHaveProperty('active');
  expect(await store.findActive('local', 'retired')).toBeUndefined();
  expect((await world.rollBack('retired')).body).toEqual(problemShape('flow_no_earlier_version', 409));
  expect((await world.activate('retired', 2)).body).not.toHaveProperty('previous');
  expect(await store.findActive('local', 'retired')).toMatchObject({ version: 2 });
});

test('after the only version of a flow was deleted, the flow is not found, and its next version gets the next number', async () => {
  await world.createVersions('emptied', 1);
  await world.deleteVersion('emptied', 1);
  const problem = problemShape('flow_not_found', 404);
  expect((await world.get('/v1/flows/emptied')).body).toEqual(problem);
  expect((await world.activate('emptied', 1)).body).toEqual(problem);
  expect((await world.get('/v1/flows?limit=100')).body).not.toMatchObject({
    flows: expect.arrayContaining([expect.objectContaining({ name: 'emptied' })]),
  });
  expect(await world.readAuditLog('emptied')).toHaveLength(2);
  expect((await world.put('emptied', buildPauseFlow(1))).body).toMatchObject({ version: 2 });
});

test('the audit log has each change with the client that made it, and no rejected change', async () => {
  await world.createVersions('audited', 2, { activate: [1, 2] });
  await world.rollBack('audited');
  await world.deleteVersion('audited', 1);
  await world.deleteVersion('audited', 2);
  const digest = expect.any(String);
  expect(await world.readAuditLog('audited')).toEqual([
    [clientId, 'flow_version_added', { version: 1, digest }],
    [clientId, 'flow_version_added', { version: 2, digest }],
    [clientId, 'flow_activated', { version: 1 }],
    [clientId, 'flow_activated', { version: 2, previous: 1 }],
    [clientId, 'flow_rolled_back', { version: 1, previous: 2 }],
    [clientId, 'flow_version_deleted', { version: 2 }],
  ]);
});

test('the audit log rejects query parameters', async () => {
  await world.createVersions('queried', 1);
  const { status, body } = await world.get('/v1/flows/queried/audit?limit=2');
  expect([status, body]).toEqual([400, { ...problemShape('unknown_field', 400), errors: { limit: ['is unknown'] } }]);
});

test('an unknown flow cannot be changed', async () => {
  const problem = problemShape('flow_not_found', 404);
  expect((await world.activate('nothing', 1)).body).toEqual(problem);
  expect((await world.rollBack('nothing')).body).toEqual(problem);
  expect((await world.deleteVersion('nothing', 1)).body).toEqual(problem);
  expect((await world.get('/v1/flows/nothing')).body).toEqual(problem);
  expect((await world.get('/v1/flows/nothing/audit')).body).toEqual(problem);
  await world.createVersions('something', 1);
  expect((await world.activate('something', 2)).body).toEqual(problemShape('flow_version_not_found', 404));
});

test.each([{}, { version: 0 }, { version: '1' }, { version: 1.5 }, { version: 2_147_483_648 }, { version: null }])(
  'an activation with the body %j is rejected',
  async (body) => {
    await world.createVersions('something', 1);
    const response = await world.request('POST', '/v1/flows/something/activate', { body });
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: { version: [expect.any(String)] } },
    });
  },
);

test('a change that cannot be recorded in the audit log is not saved', async () => {
  await world.createVersions('unheard', 2, { activate: [1] });
  const { pool } = world.api.dependencies;
  await pool.query("alter table audit_log add constraint full_up check (owner <> 'flow/unheard') not valid");
  const problem = problemShape('internal_error', 500);
  expect((await world.put('unheard', buildPauseFlow(3))).body).toEqual(problem);
  expect((await world.activate('unheard', 2)).body).toEqual(problem);
  expect((await world.deleteVersion('unheard', 2)).body).toEqual(problem);
  await pool.query('alter table audit_log drop constraint full_up');
  expect((await world.get('/v1/flows/unheard')).body).toMatchObject({ active: 1, newest: 2 });
  expect((await world.deleteVersion('unheard', 2)).status).toBe(200);
});

test('without a database, flows return 503', async () => {
  const worldWithoutDatabase = await ApiWorld.open();
  const response = await worldWithoutDatabase.request('/v1/flows');
  expect(response.body).toEqual(problemShape('service_unavailable', 503));
  expect(response.headers.get('retry-after')).toBe('2');
  await worldWithoutDatabase.close();
});
