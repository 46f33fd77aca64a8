import { example, file, flow, innerFolder, json } from './flow-command-world';

describe('simulate and test', () => {
  test('runs a person given in one line', async () => {
    const person = 'ignores sms; enters the code by sms';
    const { code, out, stopped } = await flow(['simulate', example, '--person', person]);
    expect(code).toBe(0);
    expect(out).toContain('The run ended as Confirmed');
    expect(stopped).toBe(1);
  });

  test('runs a scenario beside the flow by its name', async () => {
    expect((await flow(['simulate', example, '--scenario', 'too late twice'])).out).toContain(
      'The run ended as Expired',
    );
    const { code, err } = await flow(['simulate', example, '--scenario', 'never']);
    expect(code).toBe(2);
    expect(err).toMatch(/^There is no scenario "never"\. The scenarios are:\n {2}the code comes back\n(?: {2}.*\n)+$/);
  });

  test('exits with 0 when all scenarios pass', async () => {
    const { code, out } = await flow(['test', example]);
    expect(code).toBe(0);
    expect(out).toMatch(/^passed {2}phone-only: the code comes back\n/);
    expect(out).toMatch(/\n9 scenarios, 0 failed\n$/);
  });

  test('prints a failed scenario with its timeline and exits with 1', async () => {
    const copy = json('failing.json');
    file('failing.scenarios.yaml', '- name: late\n  person: [ignores sms]\n  expect: { outcome: Confirmed }\n');
    const { code, out } = await flow(['test', copy]);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED {2}sms-token: late\n {8}expected outcome Confirmed, got Expired\nsms-token 1\n/);
    expect(out).toMatch(/\n1 scenario, 1 failed\n$/);
  });

  test('runs the other flows when one has no scenarios or has issues', async () => {
    const files = [json('lone.json'), json('wrong.json', { start: 'x' }), example];
    const { code, out, err } = await flow(['test', ...files]);
    expect(code).toBe(2);
    expect(err).toMatch(/^\S*lone\.json has no scenarios\. .*\n$/);
    expect(out).toMatch(/wrong\.json: \d+ issues?\n[^]*passed {2}phone-only: [^]*\n9 scenarios, 0 failed\n$/);
    expect((await flow(['test', ...files.slice(1)])).code).toBe(1);
    expect(await flow(['test', ...files.slice(0, 2)])).toMatchObject({ code: 2, stopped: 0 });
  });

  test('reports a step without effect: simulate prints it, and test fails', async () => {
    const person = 'webhook refuses; enters the code by sms';
    const result = await flow(['simulate', example, '--person', person]);
    expect([result.code, result.out]).toEqual([
      0,
      expect.stringMatching(/\nSteps without effect: webhook refuses\.\n$/),
    ]);
    const copy = json('never.json');
    const scenario = { name: 'a', person: person.split('; '), expect: { outcome: 'Confirmed' } };
    file('never.scenarios.yaml', JSON.stringify([scenario]));
    const tested = await flow(['test', copy]);
    expect([tested.code, tested.out]).toEqual([
      1,
      expect.stringContaining('FAILED  sms-token: a\n        steps without effect: webhook refuses'),
    ]);
  });

  test('does not run a flow with issues', async () => {
    const { code, out } = await flow(['simulate', json('bad2.json', { start: 'x' }), '--person', 'ignores sms']);
    expect(code).toBe(1);
    expect(out).toMatch(/issue/);
  });
});

const lots = json('lots.json');
file('lots.scenarios.yaml', '- name: a\n  person: []\n  expect: { outcome: Lots }\n');

test.each([
  ['a missing command', [], /^A command is missing\.\n\nUsage: npm run flow/],
  ['an unknown command', ['chekc', example], /^Unknown command chekc\./],
  ['a missing file', ['check'], /^check needs a FILE\./],
  ['an unknown option', ['check', example, '--frob'], /^Unknown option '--frob'/],
  ['an option of another command', ['check', example, '--out', 'a'], /^check has no option --out\./],
  ['two files to draw', ['draw', example, example], /^draw takes one FILE\./],
  ['a missing person', ['simulate', example], /^simulate needs either --person or --scenario\./],
  ['two persons', ['simulate', example, '--person', 'a', '--scenario', 'b'], /^simulate needs either/],
  ['a file that does not exist', ['check', 'none.flow.ts'], /^none\.flow\.ts does not exist\.\n$/],
  ['a folder', ['check', 'flows'], /^flows must end in \.ts or \.json\.\n$/],
  ['a folder with the name of a flow', ['check', innerFolder('folder.json')], /folder\.json is not a file\.\n$/],
  ['a module without a flow', ['check', 'flows/biometrics-link.ts'], /exports no flow\. Export exactly one flow/],
  ['a module with many', ['check', 'flows/index.ts'], /exports no flow/],
  ['invalid JSON', ['check', file('no.json', '{')], /no\.json:1:2: Close brace expected\.\n$/],
  [
    'a duplicate name',
    ['check', file('twice.json', '{\n  "start": "a",\n  "steps": { "a": { "kind": "wait" }, "\\u0061": {} }\n}')],
    /^\S*twice\.json:3:39: The field appears twice\.\n$/,
  ],
  [
    'a duplicate name in a simulation',
    ['simulate', file('again.json', '{"a":1,"a":1}'), '--person', 'ignores sms'],
    /again\.json:1:8: The field appears twice\./,
  ],
  [
    'a file that is not UTF-8',
    ['check', file('latin.json', Buffer.from([0x7b, 0xe9, 0x7d]))],
    /latin\.json is not UTF-8\.\n$/,
  ],
  ['an unsupported image format', ['draw', example, '--out', 'a.png'], /^--out must end in \.svg\.\n/],
  [
    'an unknown expected outcome',
    ['test', lots],
    /lots\.scenarios\.yaml:3:22: expect\.outcome: There is no outcome Lots\. .*Use one of /,
  ],
  [
    'invalid TypeScript',
    ['check', file('torn.flow.ts', "export const a = {\n  b: 'c',\n  d: ,\n};\n")],
    /^\S*torn\.flow\.ts:3:6: Expression expected\.\n$/,
  ],
  [
    'a module with a missing import',
    ['check', file('gone.flow.ts', "import './gone';\n")],
    /^.* cannot be loaded: .*\n$/,
  ],
  [
    'more white space than PUT accepts',
    ['check', file('wide.json', `{${' '.repeat(65_536)}"start":"a","steps":{}}`)],
    /wide\.json has 65560 bytes, but PUT accepts at most 65536\. Remove white space, or shorten the flow\.\n$/,
  ],
  [
    'texts that PUT refuses',
    ['check', file('nul.json', '{"title":"a\\u0000","start":"a","steps":{}}')],
    /nul\.json: title must not contain the NUL character\.\n$/,
  ],
  ['an empty file', ['check', file('empty.json', ' \n')], /empty\.json: the file is empty\.\n$/],
  [
    'JSON of another kind',
    ['check', file('list.json', '[]')],
    /list\.json is not a flow\. A flow is an object with start and steps\.\n$/,
  ],
  [
    'a flow without scenarios',
    ['test', json('alone.json')],
    /alone\.json has no scenarios. Write them in .*alone\.scenarios/,
  ],
  ['an unreadable person', ['simulate', example, '--person', 'sleeps'], /^--person: "sleeps" is not a scripted step/],
])('exits with 2 for wrong usage or an unusable file: %s', async (_, args, expected) => {
  const { code, out, err } = await flow(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(expected);
});

test.each([['help'], ['--help'], ['check', '-h']])('prints the usage for %s and exits with 0', async (...args) => {
  expect(await flow(args)).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: npm run flow/), err: '' });
});

describe('colors', () => {
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
