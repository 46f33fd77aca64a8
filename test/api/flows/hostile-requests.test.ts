import { problemShape } from '../api-world';
import { FlowWorld, buildPauseFlow } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const anyIssue = {
  code: expect.any(String),
  path: expect.any(String),
  message: expect.any(String),
  fix: expect.any(String),
};
const invalidFlow = { ...problemShape('flow_invalid', 422), issues: expect.arrayContaining([anyIssue]) };

const hostileNames = [
  '%00',
  'a%00b',
  'A',
  '-a',
  'a-',
  'a--b',
  '1a',
  '*',
  '%2A',
  '__proto__',
  'toString',
  'a.b',
  'a%2Fb',
  '%2e%2e%2fsecrets',
  "x';drop table flow_versions;--",
  '%F0%9F%92%A9',
  '%EF%BD%81',
  'a%20b',
  'a%0A',
  'a'.repeat(61),
  'a'.repeat(4_000),
];

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('a flow called %s', (_, name) => {
  test('a flow with a hostile name is rejected, and is not found', async () => {
    expect((await world.put(name, buildPauseFlow(1))).body).toMatchObject(invalidFlow);
    expect((await world.get(`/v1/flows/${name}`)).body).toEqual(problemShape('flow_not_found', 404));
    expect((await world.get(`/v1/flows/${name}/audit`)).body).toEqual(problemShape('flow_not_found', 404));
    expect((await world.get(`/v1/flows/${name}/versions/1`)).body).toEqual(problemShape('flow_version_not_found', 404));
    expect((await world.activate(name, 1)).body).toEqual(problemShape('flow_not_found', 404));
    expect((await world.rollBack(name)).body).toEqual(problemShape('flow_not_found', 404));
    expect((await world.deleteVersion(name, 1)).body).toEqual(problemShape('flow_not_found', 404));
  });
});

test('a flow with the reserved name `constructor` is rejected, and is not found', async () => {
  expect((await world.get('/v1/flows/constructor')).body).toEqual(problemShape('flow_not_found', 404));
  const put = await world.put('constructor', buildPauseFlow(1));
  expect(put).toMatchObject({ status: 422, body: { issues: [{ code: 'name-reserved', path: 'name' }] } });
  expect((await world.get('/v1/flows/constructor')).body).toEqual(problemShape('flow_not_found', 404));
});

test.each(['0', '-1', '1.0', '01', '1e3', 'x', '%00', '2147483648', '99999999999999999999', 'latest', '1%20'])(
  'the version %s is not found',
  async (version) => {
    await world.createVersions('plain', 1);
    const problem = problemShape('flow_version_not_found', 404);
    expect((await world.get(`/v1/flows/plain/versions/${version}`)).body).toEqual(problem);
    expect((await world.deleteVersion('plain', version)).body).toEqual(problem);
  },
);

test('a path with an invalid escape is not found', async () => {
  expect((await world.api.request('/v1/flows/%ff')).body).toEqual(problemShape('not_found', 404));
});

test.each([
  ['another name than in its URL', { name: 'other-name', ...buildPauseFlow(1) }, 'name'],
  ['a version', { version: 2, ...buildPauseFlow(1) }, 'version'],
  ['a start that is not a step', { ...buildPauseFlow(1), start: 'nowhere' }, 'start'],
])('a flow with %s is rejected, and the issue has the path of the mistake and the fix', async (_, body, path) => {
  const response = await world.put('faulty', body);
  expect(response.body).toMatchObject({ ...invalidFlow, issues: expect.arrayContaining([{ ...anyIssue, path }]) });
  expect((await world.get('/v1/flows/faulty')).status).toBe(404);
});

test.each([
  ['an exit that leads nowhere', { pause: { kind: 'wait', seconds: 1, then: 'nowhere' } }, 'steps.pause.then'],
  ['a step of an invalid shape', { pause: { kind: 'wait', seconds: 'one', then: 'pause' } }, 'steps.pause.seconds'],
])('issues of the name and version, and issues of the steps, are in one response: %s', async (_, steps, path) => {
  const { body } = await world.put('gold', { name: 'sign-up', version: 3, ...buildPauseFlow(1), steps });
  const { issues } = body as { issues: { code: string; path: string }[] };
  expect(issues.map((one) => one.path)).toEqual(expect.arrayContaining(['name', 'version', path]));
  expect(issues.filter((one) => one.path === 'name')).toHaveLength(1);
});

test('an invalid name in the path is reported once, together with the issues of the flow', async () => {
  const { body } = await world.put('Gold', { ...buildPauseFlow(1), start: 'nowhere' });
  const { issues } = body as { issues: { code: string; path: string }[] };
  expect(issues.filter(({ path }) => path === 'name').map(({ code }) => code)).toEqual(['flow-name']);
  expect(issues).toContainEqual(expect.objectContaining({ path: 'start' }));
});

test('the body of a flow may have the field `name` with the name from the URL', async () => {
  expect((await world.put('named', { name: 'named', ...buildPauseFlow(1) })).status).toBe(201);
  expect((await world.put('named', buildPauseFlow(1))).status).toBe(200);
});

test.each([
  ['a missing body', { rawBody: '' }, 'flow_invalid'],
  ['a list', { rawBody: '[]' }, 'validation_failed'],
  ['null', { rawBody: 'null' }, 'validation_failed'],
  ['broken JSON', { rawBody: '{"start":' }, 'malformed_json'],
  ['a field twice', { rawBody: '{"start":"a","start":"b"}' }, 'duplicate_field'],
  ['__proto__', { rawBody: '{"__proto__":{"start":"a"}}' }, 'validation_failed'],
  ['NUL in a text', { body: buildPauseFlow(1, 'a\u0000b') }, 'validation_failed'],
  [
    'half of a surrogate pair',
    { rawBody: JSON.stringify(buildPauseFlow(1, 'x')).replace('"x"', '"\\ud800"') },
    'validation_failed',
  ],
  ['nine levels of objects', { rawBody: `${'{"a":'.repeat(9)}1${'}'.repeat(9)}` }, 'body_too_deep'],
  ['more than 64 KiB', { body: buildPauseFlow(1, 'x'.repeat(65_536)) }, 'body_too_large'],
  [
    'more than 4,000 fields',
    { body: Object.fromEntries(Array.from({ length: 4_001 }, (_, at) => [`f${at}`, 1])) },
    'too_many_fields',
  ],
  ['another content type', { rawBody: 'start: a', headers: { 'content-type': 'text/yaml' } }, 'unsupported_media_type'],
])('a request body is rejected: %s', async (_, request, code) => {
  const response = await world.request('PUT', '/v1/flows/bodies', {
    headers: { 'content-type': 'application/json' },
    ...request,
  });
  expect(response.body).toMatchObject({ code });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect((await world.get('/v1/flows/bodies')).status).toBe(404);
});

test('reading flows and writing flows need different scopes', async () => {
  await world.createVersions('scoped', 1);
  const readerOptions = { token: await world.api.issueToken('local', ['flows:read']) };
  const writerOptions = { token: await world.api.issueToken('local', ['flows:write']) };
  const problem = problemShape('insufficient_scope', 403);
  expect((await world.get('/v1/flows/scoped', readerOptions)).status).toBe(200);
  expect((await world.put('scoped', buildPauseFlow(2), readerOptions)).body).toEqual(problem);
  expect((await world.activate('scoped', 1, readerOptions)).body).toEqual(problem);
  expect((await world.get('/v1/flows/scoped', writerOptions)).body).toEqual(problem);
  expect((await world.activate('scoped', 1, writerOptions)).status).toBe(200);
});
