import { FlowWorld, buildPauseFlow } from '../flow-world';
import { buildRun } from './build-run';
import { saveRuns } from './flows-page-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const deletedBy = 'client-of-local';
const completion = { status: 'Completed', outcome: 'Done' } as const;
type Row = { name?: string; version?: number; deletedAt?: string; running?: number };

const findListedFlow = async (name: string, query = '?deleted=true&limit=100', options = {}) => {
  const { flows } = (await world.get(`/v1/flows${query}`, options)).body as { flows: Row[] };
  return flows.find((flow) => flow.name === name);
};
/** For each listed version: its number, whether it is deleted, and how many of its flow runs still run. */
const versionsOf = async (name: string, query = '?deleted=true') => {
  const { versions } = (await world.get(`/v1/flows/${name}${query}`)).body as { versions?: Row[] };
  return versions?.map(({ version, deletedAt, running }) => [version, deletedAt !== undefined, running]);
};

it('a deleted flow is listed with deleted=true while its flow runs continue', async () => {
  await world.put('going', buildPauseFlow(1));
  const run = buildRun(['going', 1], daysAgo(30), [['pause']]);
  const { id } = await saveRuns(world, [run]);
  expect((await world.deleteVersion('going', 1)).status).toBe(200);
  expect(await findListedFlow('going', '?limit=100')).toBeUndefined();
  expect((await world.get('/v1/flows/going')).body).toMatchObject({ code: 'flow_not_found' });
  expect((await world.get('/v1/flows/going/versions/1')).body).toMatchObject({ code: 'flow_version_not_found' });
  const summary = { name: 'going', title: 'A pause', newest: 1, deletedAt: expect.any(String), running: 1 };
  expect(await findListedFlow('going')).toMatchObject(summary);
  expect(await versionsOf('going')).toEqual([[1, true, 1]]);
  const { body } = await world.get('/v1/flows/going/versions/1?deleted=true');
  expect(body).toMatchObject({ definition: buildPauseFlow(1), deletedAt: expect.any(String), deletedBy });
  expect((await world.get('/v1/flows/going?deleted=true')).body).toMatchObject({ versions: [{ deletedBy }] });
  expect((await world.get('/v1/flows/going/versions/1/counts?days=90')).body).toMatchObject({ current: { pause: 1 } });
  expect((await world.get('/v1/flows/going/versions/1/diagram.svg')).status).toBe(200);
  const runs = (await world.get('/v1/flows/going/versions/1/runs?status=Running&days=90')).body;
  expect(runs).toMatchObject({ runs: [{ runId: run.id, transactionId: id }] });
  expect((await world.activate('going', 1)).body).toMatchObject({ code: 'flow_not_found' });
  // Without a running flow run, a deleted version is listed for seven days after the start of its last flow run. This flow run started 30
  // days ago, so the version is not listed after the flow run ends.
  const endedRun = buildRun(['going', 1], daysAgo(30), [['pause', 1, 'Done'], ['end']], completion);
  await saveRuns(world, [{ ...endedRun, id: run.id }], { id, version: 2 });
  expect(await findListedFlow('going')).toBeUndefined();
  expect((await world.get('/v1/flows/going?deleted=true')).body).toMatchObject({ code: 'flow_not_found' });
});

it('a deleted version is listed for seven days after the start of its last flow run', async () => {
  await world.createVersions('mixed', 4, { activate: [4] });
  const runs = [1, 2].map((version) =>
    buildRun(['mixed', version], daysAgo(version === 1 ? 6 : 8), [['pause', 1, 'Done'], ['end']], completion),
  );
  await saveRuns(world, runs);
  for (const version of [1, 2, 3]) await world.deleteVersion('mixed', version);
  expect(await versionsOf('mixed')).toEqual([
    [4, false, undefined],
    [1, true, 0],
  ]);
  expect(await versionsOf('mixed', '')).toEqual([[4, false, undefined]]);
  expect(await findListedFlow('mixed')).toMatchObject({ active: 4, newest: 4 });
  expect((await findListedFlow('mixed'))?.deletedAt).toBeUndefined();
});

it('deleted flows are found only by their tenant, and invalid values of the parameter `deleted` are rejected', async () => {
  await world.put('ours', buildPauseFlow(1));
  await saveRuns(world, [buildRun(['ours', 1], daysAgo(0), [['pause']])]);
  await world.deleteVersion('ours', 1);
  const token = await world.api.issueToken('other');
  expect(await findListedFlow('ours', undefined, { token })).toBeUndefined();
  for (const endpoint of ['?deleted=true', '/versions/1?deleted=true', '/versions/1/counts', '/versions/1/runs'])
    expect((await world.get(`/v1/flows/ours${endpoint}`, { token })).status).toBe(404);
  for (const path of ['/v1/flows', '/v1/flows/ours', '/v1/flows/ours/versions/1'])
    expect((await world.get(`${path}?deleted=yes`)).body).toMatchObject({ code: 'validation_failed' });
});

it('a flow has the title of its active version, and each version has its own title', async () => {
  for (const title of ['The first', 'The second', 'The third']) await world.put('titled', buildPauseFlow(1, title));
  expect(await findListedFlow('titled')).toMatchObject({ title: 'The third', newest: 3 });
  await world.activate('titled', 2);
  expect(await findListedFlow('titled')).toMatchObject({ title: 'The second', active: 2, newest: 3 });
  const { body } = await world.get('/v1/flows/titled');
  const titles = (body as { versions: { title: string }[] }).versions.map(({ title }) => title);
  expect([(body as { title: string }).title, ...titles]).toEqual([
    'The second',
    'The third',
    'The second',
    'The first',
  ]);
});
