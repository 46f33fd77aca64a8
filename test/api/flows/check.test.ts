import { purposes, templateNameOf } from '../../../flows/templates/purposes';
import { validFlow, withChanges } from '../../support/flow-changes';
import { buildPauseFlow, FlowWorld } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

interface Check {
  valid: boolean;
  issues: { code: string; path: string; line: number; column: number; endLine: number; endColumn: number }[];
  diagram?: string;
}
const check = async (text: string, name = 'a-flow', options = {}) =>
  (await world.request('POST', `/v1/flows/${name}/check`, { body: { text }, ...options })).body as Check;

/** The part of a text that an issue marks. Lines and columns start at 1. */
function markedText(text: string, { line, column, endLine, endColumn }: Check['issues'][number]): string {
  const lines = text.split('\n').slice(line - 1, endLine);
  return lines
    .map((one, index) =>
      one.slice(index === 0 ? column - 1 : 0, index === lines.length - 1 ? endColumn - 1 : undefined),
    )
    .join('\n');
}

it('the check of a valid flow returns its limits, outcomes and diagram, and does not save the flow', async () => {
  const body = await check(JSON.stringify(buildPauseFlow(60), null, 2));
  expect(body).toEqual({
    valid: true,
    issues: [],
    seconds: 180,
    sends: 0,
    outcomes: ['Done'],
    diagram: expect.stringMatching(/^<svg .*a-flow 1/s),
  });
  expect((await world.get('/v1/flows/a-flow')).status).toBe(404);
});

it.each([
  ['en', 'Waits 1 min'],
  ['es-AR', 'Espera 1 min'],
])('the diagram of the check is in the language %s, which the request accepts', async (language, text) => {
  const body = await check(JSON.stringify(buildPauseFlow(60)), 'a-flow', { headers: { 'accept-language': language } });
  expect(body.diagram).toContain(text);
});

it('the check finds every issue that PUT finds, with its place in the text', async () => {
  const flow = {
    title: 'é '.repeat(2),
    start: 'paus',
    steps: { pause: { kind: 'wait', seconds: -1, then: 'end' }, end: { kind: 'outcome', outcome: 'done' } },
    extra: [],
  };
  const text = JSON.stringify(flow, null, 2);
  const { valid, issues, diagram } = await check(text, 'a-flow', { headers: { 'accept-language': 'en' } });
  expect(valid).toBe(false);
  // A flow with issues also has a diagram.
  expect(diagram).toContain('No such step');
  const saved = (await world.put('a-flow', flow)).body as { issues: { path: string; code: string }[] };
  expect(issues.map(({ code, path }) => [code, path])).toEqual(saved.issues.map(({ code, path }) => [code, path]));
  expect(Object.fromEntries(issues.map((issue) => [issue.path, markedText(text, issue)]))).toMatchObject({
    start: '"paus"',
    'steps.pause.seconds': '-1',
    'steps.end.outcome': '"done"',
    extra: '"extra"',
  });
});

it('the issue of a missing field marks the name of the step that should have this field', async () => {
  const text = '{"start":"a","steps":{"a":{"kind":"wait","seconds":1}}}';
  const issue = (await check(text)).issues.find(({ path }) => path === 'steps.a.then');
  expect(issue && markedText(text, issue)).toBe('"a"');
});

it.each([
  ['{\n  "start": }', 'json-invalid', 2, 12],
  ['{"start":"a",\n"start":"b"}', 'field-twice', 2, 1],
  ['', 'json-invalid', 1, 1],
  ['[]', 'wrong-type', 1, 1],
  ['[[[[[[[[[[]]]]]]]]]]', 'json-too-complex', 1, 1],
  [`{"start":"${'x'.repeat(66_000)}"}`, 'definition-too-large', 1, 1],
  ['{"start":"a\\u0000","steps":{}}', 'text-unsafe', 1, 10],
])('the issue of a text that is not a flow has a line and a column: %.20j', async (text, code, line, column) => {
  const { valid, issues } = await check(text);
  expect(valid).toBe(false);
  expect(issues[0]).toMatchObject({ code, line, column, message: expect.any(String), fix: expect.any(String) });
});

it('the check of a flow with a reserved name returns an issue, even if nothing else is wrong', async () => {
  const text = JSON.stringify(buildPauseFlow(1));
  for (const name of ['schema', 'templates', 'sms-token']) {
    expect((await check(text, name)).issues).toMatchObject([{ code: 'name-reserved', path: 'name' }]);
    expect((await world.put(name, buildPauseFlow(1))).body).toMatchObject({ code: 'flow_reserved' });
  }
});

it('a check needs the scope flows:read, and a body with a text', async () => {
  const token = await world.api.issueToken('local', ['flows:read']);
  expect((await check(JSON.stringify(buildPauseFlow(1)), 'a-flow', { token })).valid).toBe(true);
  const none = await world.api.issueToken('local', ['transaction:read']);
  expect(await check('{}', 'a-flow', { token: none })).toMatchObject({ code: 'insufficient_scope' });
  expect((await world.request('POST', '/v1/flows/a-flow/check', { body: {} })).status).toBe(400);
});

it('the templates have their texts in all languages, and the names of their replies', async () => {
  const { body } = await world.get('/v1/flows/templates');
  const { templates } = body as { templates: { name: string; replies: { name: string }[] }[] };
  const ofPurposes = (name: string) => purposes.map((purpose) => templateNameOf(name, purpose));
  expect(templates.map(({ name }) => name)).toEqual([
    ...['sms-token', ...ofPurposes('sms-2fa'), 'email-token', ...ofPurposes('email-2fa'), 'whatsapp-token'],
    ...[...ofPurposes('whatsapp-2fa'), 'voice-token', 'signer-email'],
  ]);
  expect(templates[1]).toMatchObject({
    channels: ['sms'],
    ask: 'reply',
    message: { 'pt-BR': { body: expect.stringContaining('{{brand}}') }, en: {}, es: {} },
    replies: [{ name: 'Yes' }, { name: 'No' }],
  });
});

it('a check returns at most 50 issues', async () => {
  const exits = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`e${index}`, 'nowhere']));
  expect((await check(JSON.stringify(withChanges(validFlow, { 'steps.code.exits': exits })))).issues).toHaveLength(50);
});

it('a text with thousands of list items gets one issue, and is not checked further', async () => {
  const rules = Array.from({ length: 5_000 }, () => 1);
  const { issues } = await check(JSON.stringify(withChanges(validFlow, { 'steps.look.rules': rules })));
  expect(issues).toMatchObject([{ code: 'json-too-complex' }]);
});
