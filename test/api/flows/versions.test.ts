import { flows } from '../../../flows';
import { problemShape } from '../api-world';
import { FlowWorld, buildPauseFlow } from './flow-world';

let world: FlowWorld;
let otherToken: string;
beforeAll(async () => {
  world = await FlowWorld.open();
  otherToken = await world.api.issueToken('other');
});
afterAll(() => world.close());

const builtInNames = flows.map(({ name }) => name).toSorted();
const anyInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const digest = expect.stringMatching(/^[0-9a-f]{64}$/);

test('a new flow is version 1, and is returned as it was sent', async () => {
  const added = await world.put('welcome', buildPauseFlow(1));
  const metadata = { version: 1, digest, createdAt: anyInstant, createdBy: 'client-of-local' };
  expect(added).toMatchObject({ status: 201, body: { name: 'welcome', ...metadata } });
  expect(added.headers.get('location')).toBe('/v1/flows/welcome/versions/1');
  const { status, body } = await world.get('/v1/flows/welcome/versions/1');
  expect(status).toBe(200);
  const definition = { name: 'welcome', ...buildPauseFlow(1) };
  expect(body).toEqual({ name: 'welcome', source: 'api', ...metadata, definition });
  expect(JSON.stringify((body as { definition: object }).definition)).toBe(JSON.stringify(definition));
});

test('a flow that equals the newest version adds no version, also with its fields in another order', async () => {
  await world.createVersions('same', 2);
  const { body } = await world.get('/v1/flows/same/versions/2');
  const repeat = await world.put('same', (body as { definition: object }).definition);
  expect(repeat).toMatchObject({ status: 200, body: { version: 2 } });
  const shuffled = Object.fromEntries(Object.entries(buildPauseFlow(2)).toReversed());
  expect(await world.put('same', shuffled)).toMatchObject({ status: 200, body: { version: 2 } });
  expect(await world.readAuditLog('same')).toHaveLength(2);
  // A flow that equals an older version is a new version.
  expect(await world.put('same', buildPauseFlow(1))).toMatchObject({ status: 201, body: { version: 3 } });
});

test('the field `$schema` of a flow is accepted, but not saved', async () => {
  const added = await world.put('edited', { $schema: './flow.schema.json', ...buildPauseFlow(1) });
  expect(added.status).toBe(201);
  const { definition } = (await world.get('/v1/flows/edited/versions/1')).body as { definition: object };
  expect(definition).toEqual({ name: 'edited', ...buildPauseFlow(1) });
  expect((await world.put('edited', buildPauseFlow(1))).status).toBe(200);
});

test.each([7, null, {}, ['./flow.schema.json']])('`$schema` must be a string: %j is rejected', async ($schema) => {
  const { status, body } = await world.put('schemed', { $schema, ...buildPauseFlow(1) });
  const fix = 'Write the URL of the schema as a string, or remove `$schema`.';
  const value = typeof $schema === 'number' ? $schema : `\`${JSON.stringify($schema)}\``;
  const message = `\`$schema\` is ${value}.`;
  expect([status, (body as { issues: object[] }).issues]).toEqual([
    422,
    [{ code: 'wrong-type', path: '$schema', message, fix }],
  ]);
  expect((await world.get('/v1/flows/schemed')).status).toBe(404);
});

test('the fix of an unknown field suggests a similar field of a flow', async () => {
  const { body } = await world.put('misspelt', { ...buildPauseFlow(1), title: undefined, titel: 'A pause' });
  expect((body as { issues: object[] }).issues).toMatchObject([
    { path: 'titel', fix: 'Did you mean `title`? Write one of `title`, `values`, or remove it.' },
  ]);
});

test('the list has the built-in flows and the flows of the tenant, sorted by name, in pages', async () => {
  await world.createVersions('paged-a', 2, { activate: [1] });
  await world.createVersions('paged-b', 1);
  const all = (await world.get('/v1/flows?limit=100')).body as { flows: { name: string }[]; next?: string };
  expect(all.next).toBeUndefined();
  const names = all.flows.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining([...builtInNames, 'paged-a', 'paged-b']));
  expect(all.flows).toEqual(
    expect.arrayContaining([
      { name: 'paged-a', title: 'A pause', source: 'api', active: 1, newest: 2 },
      { name: 'paged-b', title: 'A pause', source: 'api', newest: 1 },
      { name: 'sms-token', title: 'A code by SMS', source: 'code', active: 1, newest: 1 },
    ]),
  );
  const pagedNames: string[] = [];
  for (let path = '/v1/flows?limit=2'; path !== ''; ) {
    const { flows: page, next } = (await world.get(path)).body as typeof all;
    pagedNames.push(...page.map(({ name }) => name));
    path = next === undefined ? '' : `/v1/flows?limit=2&after=${next}`;
  }
  expect(pagedNames).toEqual(names);
});

test('a flow lists its versions in pages, newest first, with the number of the active version', async () => {
  await world.createVersions('history', 3, { activate: [2] });
  const { body } = await world.get('/v1/flows/history');
  const metadata = { title: 'A pause', digest, createdAt: anyInstant, createdBy: 'client-of-local' };
  const versions = [3, 2, 1].map((version) => ({ version, ...metadata }));
  expect(body).toEqual({ name: 'history', title: 'A pause', source: 'api', active: 2, newest: 3, versions });
  const first = await world.get('/v1/flows/history?limit=2');
  expect(first.body).toMatchObject({ versions: [{ version: 3 }, { version: 2 }], next: '2' });
  const { body: second } = await world.get('/v1/flows/history?limit=2&after=2');
  expect(second).toMatchObject({ newest: 3, versions: [{ version: 1 }] });
  expect(second).not.toHaveProperty('next');
  expect((await world.get('/v1/flows/history?after=1')).body).toMatchObject({ versions: [] });
});

test.each(['limit=0', 'limit=1&limit=2', 'limit=101', 'limit=x', 'limit=', 'after=%2A', 'after=A', 'after='])(
  'a list of flows with ?%s is rejected',
  async (query) => {
    const response = await world.get(`/v1/flows?${query}`);
    expect(response.body).toMatchObject({ ...problemShape('validation_failed', 400), errors: expect.anything() });
  },
);

test.each(['after=0', 'after=x', 'after=99999999999'])('a list of versions with ?%s is rejected', async (query) => {
  await world.createVersions('history', 1);
  const response = await world.get(`/v1/flows/history?${query}`);
  expect(response.body).toMatchObject({ ...problemShape('validation_failed', 400), errors: expect.anything() });
});

test('an unknown query parameter is rejected', async () => {
  expect(await world.get('/v1/flows?tenant=other')).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
});

test('a tenant cannot find the flows of other tenants, and may use the same names', async () => {
  await world.createVersions('ours', 2, { activate: [1, 2] });
  const otherTenant = { token: otherToken };
  const flowNotFound = problemShape('flow_not_found', 404);
  const versionNotFound = problemShape('flow_version_not_found', 404);
  expect((await world.get('/v1/flows/ours', otherTenant)).body).toEqual(flowNotFound);
  expect((await world.get('/v1/flows/ours/audit', otherTenant)).body).toEqual(flowNotFound);
  expect((await world.get('/v1/flows/ours/versions/1', otherTenant)).body).toEqual(versionNotFound);
  expect((await world.activate('ours', 1, otherTenant)).body).toEqual(flowNotFound);
  expect((await world.rollBack('ours', otherTenant)).body).toEqual(flowNotFound);
  expect((await world.deleteVersion('ours', 1, otherTenant)).body).toEqual(flowNotFound);
  const { body: list } = await world.get('/v1/flows', otherTenant);
  expect((list as { flows: { name: string }[] }).flows.map(({ name }) => name)).toEqual(builtInNames);

  expect(await world.put('ours', buildPauseFlow(9), otherTenant)).toMatchObject({ status: 201, body: { version: 1 } });
  expect((await world.get('/v1/flows/ours/versions/1', otherTenant)).body).toMatchObject({
    createdBy: 'client-of-other',
    definition: buildPauseFlow(9),
  });
  expect((await world.get('/v1/flows/ours')).body).toMatchObject({ active: 2, newest: 2 });
  expect((await world.get('/v1/flows/ours/versions/1')).body).toMatchObject({ definition: buildPauseFlow(1) });
  expect(await world.readAuditLog('ours', otherTenant)).toEqual([
    ['client-of-other', 'flow_version_added', { version: 1, digest }],
  ]);
});

test('built-in flows are listed, and their names are reserved', async () => {
  const { body } = await world.get('/v1/flows/sms-token');
  expect(body).toMatchObject({ source: 'code', active: 1, newest: 1, versions: [{ createdBy: 'deployment' }] });
  const { version, ...definition } = flows.find(({ name }) => name === 'sms-token') as (typeof flows)[number];
  const response = await world.get(`/v1/flows/sms-token/versions/${version}`);
  expect(response.body).toMatchObject({ source: 'code', definition });
  expect(await world.readAuditLog('sms-token')).toEqual([['deployment', 'flow_version_added', { version: 1, digest }]]);

  const reserved = problemShape('flow_reserved', 409);
  expect((await world.put('sms-token', buildPauseFlow(1))).body).toEqual(reserved);
  expect((await world.put('schema', buildPauseFlow(1))).body).toEqual(reserved);
  expect((await world.activate('sms-token', 1)).body).toEqual(reserved);
  expect((await world.rollBack('sms-token')).body).toEqual(reserved);
  expect((await world.deleteVersion('sms-token', 1)).body).toEqual(reserved);
});

test('the JSON schema of flows, which editors use, can be read', async () => {
  const { status, body } = await world.get('/v1/flows/schema');
  expect(status).toBe(200);
  expect(body).toMatchObject({ type: 'object' });
});
