import { flowLimits } from '../../../domain/flows/bounds';
import { problemShape } from '../api-world';
import { buildPauseFlow, FlowWorld } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

/** `name` and `version` are SQL expressions, in which `n` counts the versions from 1. */
const saveVersions = (tenant: string, name: string, version: string, count: number) =>
  world.api.dependencies.pool.query(
    `insert into flow_versions (tenant, name, version, definition, digest, created_by)
     select $1, ${name}, ${version}, '{}', n::text, 'client' from generate_series(1, ${count}) as n`,
    [tenant],
  );

test('a version is rejected if its flow already has the maximum number of versions', async () => {
  const token = await world.api.issueToken('versions');
  const put = (seconds: number) => world.put('full', buildPauseFlow(seconds), { token });
  await saveVersions('versions', "'full'", 'n', flowLimits.versions - 1);
  expect(await put(1)).toMatchObject({ status: 201, body: { version: flowLimits.versions } });
  expect((await put(2)).body).toEqual(problemShape('flow_version_limit_reached', 422));
  // The newest version can still be sent again.
  expect(await put(1)).toMatchObject({ status: 200, body: { version: flowLimits.versions } });
  expect((await world.put('other', buildPauseFlow(1), { token })).status).toBe(201);
});

test('a tenant has a limited number of flows, also if it adds several at once', async () => {
  const token = await world.api.issueToken('flows');
  await saveVersions('flows', "'flow-' || n", '1', flowLimits.flowsPerTenant - 1);
  const added = await Promise.all(['a', 'b', 'c'].map((name) => world.put(name, buildPauseFlow(1), { token })));
  expect(added.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([201, 422, 422]);
  expect(added.find(({ status }) => status === 422)?.body).toEqual(problemShape('flow_limit_reached', 422));
  const another = await world.put('flow-1', buildPauseFlow(1), { token });
  expect(another).toMatchObject({ status: 201, body: { version: 2 } });
  expect((await world.put('of-another-tenant', buildPauseFlow(1))).status).toBe(201);
});

test('the limits for flows and for versions are 1,000, as the texts of their problems say', () => {
  expect([flowLimits.versions, flowLimits.flowsPerTenant]).toEqual([1_000, 1_000]);
});
