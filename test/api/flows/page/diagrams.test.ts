import { flows } from '../../../../flows';
import { type FlowWorld, buildPauseFlow } from '../flow-world';
import { buildRun } from './build-run';
import { saveRuns, openWorldWithStepUp, stepUpNameAndVersion } from './flows-page-world';

let world: FlowWorld;
let otherToken: string;
beforeAll(async () => {
  world = await openWorldWithStepUp();
  otherToken = await world.api.issueToken('other');
});
afterAll(() => world.close());

const versionPath = '/v1/flows/step-up/versions/1';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const confirmed = { status: 'Completed', outcome: 'Confirmed' } as const;

const buildConfirmedRun = (startedAt: string) =>
  buildRun(
    stepUpNameAndVersion,
    startedAt,
    [['risk', 1, '2', 'The score is 60 or more'], ['code', 40, 'Valid'], ['confirmed']],
    confirmed,
  );

it('only flow runs of the requested days count, once for the outcome and once for each step, even after several visits', async () => {
  const loopedRun = buildRun(stepUpNameAndVersion, daysAgo(1), [
    ['risk', 1, 'else'],
    ['tell', 1, 'Delivered'],
    ['tell', 2, 'Failed'],
    ['pictures'],
  ]);
  const canceledRun = buildRun(
    stepUpNameAndVersion,
    daysAgo(2),
    [
      ['risk', 1, '2'],
      ['code', 9],
    ],
    { status: 'Canceled' },
  );
  await saveRuns(world, [buildConfirmedRun(daysAgo(0)), loopedRun, canceledRun]);
  await saveRuns(world, [buildConfirmedRun(daysAgo(6)), buildConfirmedRun(daysAgo(8))]);
  await saveRuns(world, [buildConfirmedRun(daysAgo(1))], { tenant: 'other' });
  await saveRuns(world, [buildRun(['step-up', 2], daysAgo(1), [['risk']])]);
  const { status, headers, body } = await world.get(`${versionPath}/counts`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    name: 'step-up',
    version: 1,
    since: expect.any(String),
    runs: 4,
    canceled: 1,
    current: { pictures: 1 },
    entered: { risk: 4, code: 3, tell: 1, pictures: 1, confirmed: 2 },
    outcomes: { Confirmed: 2 },
    ended: expect.any(Array),
  });
  expect((await world.get(`${versionPath}/counts?days=90`)).body).toMatchObject({
    runs: 5,
    outcomes: { Confirmed: 3 },
  });
  expect((await world.get(`${versionPath}/counts?days=1`)).body).toMatchObject({ runs: 1 });
});

it('the counts of built-in flows are separate for each tenant', async () => {
  const [{ name, version: newest }] = flows as [(typeof flows)[0]];
  const countsPath = `/v1/flows/${name}/versions/${newest}/counts`;
  await saveRuns(world, [buildRun([name, newest], daysAgo(0), [['code']])]);
  expect((await world.get(countsPath)).body).toMatchObject({ runs: 1, current: { code: 1 } });
  expect((await world.get(countsPath, { token: otherToken })).body).toMatchObject({
    runs: 0,
    current: {},
    entered: {},
    outcomes: {},
  });
});

it('the diagram of a version has the requested counts', async () => {
  const diagram = await world.get(`${versionPath}/diagram.svg`);
  expect([diagram.status, diagram.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect(diagram.body).toMatch(/^<svg [^]*<\/svg>\s*$/);
  /** Counts the numbers on steps: only they have this font size. */
  const countNumbers = (body: unknown) => String(body).match(/font-size="11.00"/g)?.length ?? 0;
  expect(countNumbers(diagram.body)).toBe(0);
  const countNumbersOf = async (mode: string) =>
    countNumbers((await world.get(`${versionPath}/diagram.svg?counts=${mode}&days=90`)).body);
  expect([await countNumbersOf('entered'), await countNumbersOf('current')]).toEqual([5, 1]);
});

it('the diagram of a flow run shows its path, also after its version was deleted', async () => {
  await world.createVersions('pause', 2, { activate: [2] });
  const run = buildRun(['pause', 1], daysAgo(0), [['pause', 1], ['end']], { status: 'Completed', outcome: 'Done' });
  const { id } = await saveRuns(world, [run, buildRun(['gone', 1], daysAgo(0), [['pause']])]);
  const diagramPath = `/v1/transaction/${id}/flows/runs/${run.id}/diagram.svg`;
  const before = await world.get(diagramPath);
  expect(before.body).toContain('taken');
  expect((await world.deleteVersion('pause', 1)).status).toBe(200);
  expect((await world.get('/v1/flows/pause/versions/1')).status).toBe(404);
  expect((await world.get(diagramPath)).body).toBe(before.body);
  expect((await world.get(diagramPath, { token: otherToken })).body).toMatchObject({ code: 'transaction_not_found' });
  const runs = (await world.get(`/v1/transaction/${id}/flows`)).body as { runId: string; flow: string }[];
  const deletedRun = runs.find(({ flow }) => flow === 'gone')?.runId;
  const missing = await world.get(`/v1/transaction/${id}/flows/runs/${deletedRun}/diagram.svg`);
  expect(missing.body).toMatchObject({ code: 'flow_version_not_found' });
  const none = await world.get(`/v1/transaction/${id}/flows/runs/none/diagram.svg`);
  expect(none.body).toMatchObject({ code: 'run_not_found' });
});

it('counts and diagrams need the right tenant and scope', async () => {
  await world.put('secret', buildPauseFlow(1));
  for (const endpoint of ['diagram.svg', 'diagram.svg?counts=current', 'counts']) {
    const path = `/v1/flows/secret/versions/1/${endpoint}`;
    expect((await world.get(path, { token: otherToken })).body).toMatchObject({ code: 'flow_version_not_found' });
    const token = await world.api.issueToken('local', ['transaction:read']);
    expect((await world.get(path, { token })).body).toMatchObject({ code: 'insufficient_scope' });
  }
  const token = await world.api.issueToken('local', ['flows:read']);
  const { id } = await saveRuns(world, [buildConfirmedRun(daysAgo(0))]);
  const run = await world.get(`/v1/transaction/${id}/flows/runs/x/diagram.svg`, { token });
  expect(run.body).toMatchObject({ code: 'insufficient_scope' });
});

it.each([
  ['counts?days=0', 'validation_failed', 'days'],
  ['counts?days=91', 'validation_failed', 'days'],
  ['counts?days=week', 'validation_failed', 'days'],
  ['counts?day=1', 'unknown_field', 'day'],
  ['diagram.svg?counts=all', 'validation_failed', 'counts'],
  ['diagram.svg?run=1', 'unknown_field', 'run'],
])('the query %s is rejected', async (query, code, field) => {
  const { status, body } = await world.get(`${versionPath}/${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code, errors: { [field]: [expect.any(String)] } });
});

it.each(['9/counts', '9/diagram.svg', '0/counts', 'x/diagram.svg'])(
  'the version in %s is not found',
  async (endpoint) => {
    expect((await world.get(`/v1/flows/step-up/versions/${endpoint}`)).body).toMatchObject({
      code: 'flow_version_not_found',
    });
  },
);
