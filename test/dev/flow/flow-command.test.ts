import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPutBody } from '../../../api/flows/read-put-body';
import type { Problem } from '../../../api/problem';
import { runFlow, type Surroundings } from '../../../dev/flow/main';
import { simulateOnPaper } from '../../../dev/flow/paper/simulate-on-paper';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { templates } from '../../../flows/templates';

const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = 'flows/examples/phone-only.flow.ts';
const paper = simulateOnPaper({ templates, decide: () => true });
let stopped = 0;

/** What a run wrote, and its exit code. */
async function flow(args: readonly string[], more: Partial<Surroundings> & { tty?: boolean } = {}) {
  const told = { out: '', err: '' };
  const code = await runFlow(args, {
    stdout: { write: (text) => (told.out += text), isTTY: more.tty ?? false },
    stderr: { write: (text) => (told.err += text) },
    env: {},
    simulate: async () => ({ ...paper, stop: async () => void (stopped += 1) }),
    ...more,
  });
  return { code, ...told };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** As PUT takes it: without a version. */
const json = (name: string, changes: object = {}) =>
  file(name, JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes }));

/** What PUT answers to a body at the path of its name. */
function putFaults(body: Record<string, unknown>): readonly { code: string; message: string; mend: string }[] {
  try {
    readPutBody(String(body['name']), body);
    return [];
  } catch (error) {
    return (error as Problem).extras.members?.['faults'] as never;
  }
}

describe('check', () => {
  test('a good flow is told with what it takes at most, and the code is 0', async () => {
    const { code, out } = await flow(['check', example, json('copy.json')]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /phone-only\.flow\.ts: good\n {2}phone-only 1 has 5 steps and ends as Confirmed, Expired, Blocked/,
    );
    expect(out).toMatch(/A run takes at most [\d a-z]+ and sends at most 4 messages\./);
    expect(out).toMatch(/copy\.json: good\n/);
  });

  test('faults are told with path and mend, and the code is 1', async () => {
    const { code, out } = await flow(['check', example, json('bad.json', { start: 'nowhere' })]);
    expect(code).toBe(1);
    expect(out).toMatch(/bad\.json: \d+ faults?\n {2}start \[[a-z-]+\]\n {4}\S.*\n {4}\S/);
  });

  test.each([
    ['a step without a kind', { steps: { code: {} } }, 'steps.code.kind [step-kind-unknown]'],
    [
      'a step without its exits',
      { steps: { code: { kind: 'notify', event: 'a' } } },
      'steps.code.exits [field-missing]',
    ],
    ['a flow without a start', { start: undefined }, 'start [field-missing]'],
  ])('%s is told as a fault, also by draw', async (_, changes, words) => {
    const misshapen = json('misshapen.json', changes);
    const { code, out } = await flow(['check', misshapen]);
    expect([code, out]).toEqual([1, expect.stringContaining(words)]);
    const drawn = await flow(['draw', misshapen]);
    expect([drawn.code, drawn.out, drawn.err]).toEqual([1, '', expect.stringContaining(words)]);
  });

  test.each([
    ['a version', { version: 7 }, ['version [version-given]']],
    ['a name in capitals', { name: 'Sign Up' }, ['name [flow-name]']],
    ['no name', { name: undefined }, ['name [field-missing]']],
    [
      'all of that, and a step that is not there',
      { version: 7, name: 'Sign Up', start: 'x' },
      ['name [flow-name]', 'version [version-given]', 'start [start-unknown]'],
    ],
    ['a title that is a number', { version: 7, title: 7 }, ['version [version-given]', 'title [wrong-type]']],
  ])('a .json with %s is told what PUT tells', async (_, changes, places) => {
    const text = JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes });
    const { code, out } = await flow(['check', file('put.json', text)]);
    expect([code, out.match(/^ {2}\S+ \[.*\]$/gm)?.slice(0, places.length)]).toEqual([
      1,
      places.map((at) => `  ${at}`),
    ]);
    // Without a name there is no path to put it to.
    if ('name' in changes && changes.name === undefined) return;
    const told = putFaults(JSON.parse(text) as Record<string, unknown>);
    expect(out).toContain(told.map(({ message, mend }) => `    ${message}\n    ${mend}\n`)[0]);
    expect(out.match(/(?<=\[)[a-z-]+(?=\]$)/gm)).toEqual(told.map((fault) => fault.code));
  });

  test('a flow without a version, as PUT takes it, is the first', async () => {
    const { code, out } = await flow(['check', json('unversioned.json')]);
    expect([code, out]).toEqual([0, expect.stringContaining('sms-token 1 has')]);
  });

  test('every file is told, and the code is the highest', async () => {
    const files = [
      file('stub.json', '{"name":"x","title":"y"}'),
      file('torn.json', '{"name":'),
      join(folder, 'none.json'),
      json('fine.json'),
    ];
    const { code, out, err } = await flow(['check', ...files]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /stub\.json: 2 faults\n {2}start \[field-missing\][^]*\n {2}steps \[field-missing\][^]*fine\.json: good/,
    );
    expect(err).toMatch(/^\S*torn\.json: line 1, column 9: .*\n\S*none\.json does not exist\.\n$/);
    expect((await flow(['check', ...files.slice(0, 1), ...files.slice(3)])).code).toBe(1);
  });

  test('a flow that refuses to be loaded is a fault', async () => {
    const refuses = `class FlowError extends Error { name = 'FlowError' }; throw new FlowError('code has no exit Valid.');`;
    const { code, err } = await flow(['check', file('refuses.flow.ts', refuses)]);
    expect([code, err]).toEqual([1, 'code has no exit Valid.\n']);
  });
});

describe('draw', () => {
  test('the diagram is alone on the output, and the SVG beside the file', async () => {
    const copy = json('drawn.json');
    const { code, out, err } = await flow(['draw', copy]);
    expect([code, err]).toEqual([0, `Wrote ${join(folder, 'drawn.svg')}.\n`]);
    expect(out).toMatch(/^---\ntitle: "sms-token 1: A code by SMS"\n---\nstateDiagram-v2\n/);
    expect(readFileSync(join(folder, 'drawn.svg'), 'utf8')).toMatch(/^<svg /);
  });

  test('the SVG goes where --out says; where it cannot be written is said', async () => {
    const out = join(folder, 'elsewhere.svg');
    expect((await flow(['draw', example, '--out', out])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('phone-only 1');
    const { code, err } = await flow(['draw', example, '--out', join(folder, 'none', 'a.svg')]);
    expect([code, err]).toEqual([2, `${join(folder, 'none', 'a.svg')} cannot be written.\n`]);
  });
});

describe('simulate and test', () => {
  test('a person of one line', async () => {
    const before = stopped;
    const { code, out } = await flow(['simulate', example, '--person', 'ignores sms; enters the code by sms']);
    expect(code).toBe(0);
    expect(out).toMatch(/\+5m05s.*the person enters the code: Valid → confirmed/);
    expect(stopped).toBe(before + 1);
  });

  test('a scenario beside the flow, by its name', async () => {
    expect((await flow(['simulate', example, '--scenario', 'too late twice'])).out).toContain('It ended as Expired');
    const { code, err } = await flow(['simulate', example, '--scenario', 'never']);
    expect(code).toBe(2);
    expect(err).toMatch(/^There is no scenario "never"; there are:\n {2}the code comes back\n(?: {2}.*\n)+$/);
  });

  test('all scenarios pass, and the code is 0', async () => {
    const { code, out } = await flow(['test', example]);
    expect(code).toBe(0);
    expect(out).toMatch(/^passed {2}phone-only: the code comes back\n/);
    expect(out).toMatch(/\n9 scenarios, 0 failed\n$/);
  });

  test('a failed scenario is told with its timeline, and the code is 1', async () => {
    const copy = json('failing.json');
    file('failing.scenarios.yaml', '- name: late\n  person: [ignores sms]\n  expect: { outcome: Confirmed }\n');
    const { code, out } = await flow(['test', copy]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAILED {2}sms-token: late\n {8}expected the outcome Confirmed; it ended as Expired\nsms-token 1\n/,
    );
    expect(out).toMatch(/\n1 scenario, 1 failed\n$/);
  });

  test('what has no scenarios, and what has faults, keeps nothing else from being run', async () => {
    const files = [json('lone.json'), json('wrong.json', { start: 'x' }), example];
    const { code, out, err } = await flow(['test', ...files]);
    expect(code).toBe(2);
    expect(err).toMatch(/^\S*lone\.json has no scenarios: .*\n$/);
    expect(out).toMatch(/wrong\.json: \d+ faults?\n[^]*passed {2}phone-only: [^]*\n9 scenarios, 0 failed\n$/);
    expect((await flow(['test', ...files.slice(1)])).code).toBe(1);
    const before = stopped;
    expect((await flow(['test', ...files.slice(0, 2)])).code).toBe(2);
    expect(stopped).toBe(before);
  });

  test.each([
    [
      'on a channel that the flow has not',
      'enters the code by sms; enters the code by email',
      'enters the code by email',
    ],
    ['after the step is over', 'ignores sms; after 6m enters the code by sms', 'after 6m enters the code by sms'],
    ['after what ends the step', 'enters the code by sms; ignores sms', 'ignores sms'],
    ['of a provider, in the middle of an ask', 'asks again by sms; provider refuses sms', 'provider refuses sms'],
    ['of a webhook that is not called', 'webhook refuses; enters the code by sms', 'webhook refuses'],
  ])('a line %s never came: simulate tells it, and test fails', async (_, person, line) => {
    const told = await flow(['simulate', example, '--person', person]);
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(new RegExp(`\\nNever came: ${line}\\.\\n$`))]);
    const copy = json('never.json');
    const outcome = /ended as (\w+)/.exec((await flow(['simulate', copy, '--person', person])).out)?.[1];
    const scenario = { name: 'a', person: person.split('; '), expect: { outcome } };
    file('never.scenarios.yaml', JSON.stringify([scenario]));
    const tested = await flow(['test', copy]);
    expect([tested.code, tested.out]).toEqual([
      1,
      expect.stringContaining(`FAILED  sms-token: a\n        these lines never came: ${line}`),
    ]);
  });

  test('a faulty flow is not run', async () => {
    const { code, out } = await flow(['simulate', json('bad2.json', { start: 'x' }), '--person', 'ignores sms']);
    expect(code).toBe(1);
    expect(out).toMatch(/fault/);
  });
});

test.each([
  ['no command', [], /^A command is missing\.\n\nUse: npm run flow/],
  ['a command that does not exist', ['chekc', example], /^There is no command chekc\./],
  ['no file', ['check'], /^check needs a FILE\./],
  ['an option that does not exist', ['check', example, '--frob'], /^Unknown option '--frob'/],
  ['an option of another command', ['check', example, '--out', 'a'], /^check takes no --out\./],
  ['two files to draw', ['draw', example, example], /^draw takes one FILE\./],
  ['no person', ['simulate', example], /^simulate needs either --person or --scenario\./],
  ['two persons', ['simulate', example, '--person', 'a', '--scenario', 'b'], /^simulate needs either/],
  ['a file that does not exist', ['check', 'none.flow.ts'], /^none\.flow\.ts does not exist\.\n$/],
  ['a folder', ['check', 'flows'], /^flows is neither a \.ts nor a \.json\.\n$/],
  ['a module without a flow', ['check', 'flows/biometrics-link.ts'], /exports no flow: export one by defineFlow/],
  ['a module with many', ['check', 'flows/index.ts'], /exports no flow/],
  ['what is no JSON', ['check', file('no.json', '{')], /no\.json: line 1, column 2: [a-z "}]+ is expected\.\n$/],
  ['an empty file', ['check', file('empty.json', ' \n')], /empty\.json: the file is empty\.\n$/],
  [
    'JSON of another kind',
    ['check', file('list.json', '[]')],
    /list\.json is no flow: it is an object with name, start and steps\.\n$/,
  ],
  [
    'a flow without scenarios',
    ['test', json('alone.json')],
    /alone\.json has no scenarios: there is no .*alone\.scenarios/,
  ],
  ['an unreadable person', ['simulate', example, '--person', 'sleeps'], /^--person: "sleeps" is no line of a person/],
])('%s is wrong usage or a file that cannot be used: code 2', async (_, args, words) => {
  const { code, out, err } = await flow(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(words);
});

test.each([['help'], ['--help'], ['check', '-h']])('%s tells the usage: code 0', async (...args) => {
  expect(await flow(args)).toEqual({ code: 0, out: expect.stringMatching(/^Use: npm run flow/), err: '' });
});

describe('colours', () => {
  const escape = String.fromCharCode(27);

  test.each([
    ['on a terminal', { tty: true }, [], true],
    ['not into a pipe', {}, [], false],
    ['not with NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, [], false],
    ['not with --plain', { tty: true }, ['--plain'], false],
  ] as const)('%s', async (_, more, args, coloured) => {
    expect((await flow(['check', example, ...args], more)).out.includes(escape)).toBe(coloured);
  });
});
