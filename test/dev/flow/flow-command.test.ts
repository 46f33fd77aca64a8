import { exampleFile, openFolder, runCommand } from './flow-command-world';

const { writeFile, writeFlow, makeSubfolder } = openFolder();

describe('simulate and test', () => {
  test('simulate runs scripted steps that are given in one line', async () => {
    const person = 'ignores sms; enters the code by sms';
    const { code, out, stoppedSimulations } = await runCommand(['simulate', exampleFile, '--person', person]);
    expect(code).toBe(0);
    expect(out).toContain('The run ended as Confirmed');
    expect(stoppedSimulations).toBe(1);
  });

  test('simulate runs a scenario by its name, from the file beside the flow', async () => {
    expect((await runCommand(['simulate', exampleFile, '--scenario', 'both codes expire'])).out).toContain(
      'The run ended as Expired',
    );
    const { code, err } = await runCommand(['simulate', exampleFile, '--scenario', 'never']);
    expect(code).toBe(2);
    expect(err).toMatch(/^There is no scenario `never`\. The scenarios are:\n {2}the code is entered\n(?: {2}.*\n)+$/);
  });

  test('the command `test` exits with 0 when all scenarios pass', async () => {
    const { code, out } = await runCommand(['test', exampleFile]);
    expect(code).toBe(0);
    expect(out).toMatch(/^passed {2}phone-only: the code is entered\n/);
    expect(out).toMatch(/\n9 scenarios, 0 failed\n$/);
  });

  test('the command `test` prints a failed scenario with its timeline and exits with 1', async () => {
    const copy = writeFlow('failing.json');
    writeFile('failing.scenarios.yaml', '- name: late\n  person: [ignores sms]\n  expect: { outcome: Confirmed }\n');
    const { code, out } = await runCommand(['test', copy]);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED {2}sms-token: late\n {8}expected outcome Confirmed, got Expired\nsms-token 1\n/);
    expect(out).toMatch(/\n1 scenario, 1 failed\n$/);
  });

  test('if one flow has no scenarios or has issues, the command `test` still runs the other flows', async () => {
    const files = [writeFlow('lone.json'), writeFlow('wrong.json', { start: 'x' }), exampleFile];
    const { code, out, err } = await runCommand(['test', ...files]);
    expect(code).toBe(2);
    expect(err).toMatch(/^\S*lone\.json has no scenarios\. .*\n$/);
    expect(out).toMatch(/wrong\.json: \d+ issues?\n[^]*passed {2}phone-only: [^]*\n9 scenarios, 0 failed\n$/);
    expect((await runCommand(['test', ...files.slice(1)])).code).toBe(1);
    expect(await runCommand(['test', ...files.slice(0, 2)])).toMatchObject({ code: 2, stoppedSimulations: 0 });
  });

  test('if a scripted step has no effect, simulate prints this step, and the command `test` fails', async () => {
    const person = 'webhook refuses; enters the code by sms';
    const result = await runCommand(['simulate', exampleFile, '--person', person]);
    expect([result.code, result.out]).toEqual([
      0,
      expect.stringMatching(/\nUnused scripted steps: webhook refuses\.\n$/),
    ]);
    const copy = writeFlow('never.json');
    const scenario = { name: 'a', person: person.split('; '), expect: { outcome: 'Confirmed' } };
    writeFile('never.scenarios.yaml', JSON.stringify([scenario]));
    const testResult = await runCommand(['test', copy]);
    expect([testResult.code, testResult.out]).toEqual([
      1,
      expect.stringContaining('FAILED  sms-token: a\n        unused scripted steps: webhook refuses'),
    ]);
  });

  test('simulate does not run a flow with issues', async () => {
    const { code, out } = await runCommand([
      'simulate',
      writeFlow('bad2.json', { start: 'x' }),
      '--person',
      'ignores sms',
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/issue/);
  });
});

const flowWithWrongScenario = writeFlow('lots.json');
writeFile('lots.scenarios.yaml', '- name: a\n  person: []\n  expect: { outcome: Lots }\n');

test.each([
  ['a missing command', [], /^A command is missing\.\n\nUsage: npm run flow/],
  ['an unknown command', ['chekc', exampleFile], /^Unknown command chekc\./],
  ['a missing file', ['check'], /^check needs a FILE\./],
  ['an unknown option', ['check', exampleFile, '--frob'], /^Unknown option '--frob'/],
  ['an option of another command', ['check', exampleFile, '--out', 'a'], /^check has no option --out\./],
  [
    'a URL as a domain',
    ['check', exampleFile, '--link-domains', 'a.com,https://b.com'],
    /^--link-domains: "https:\/\/b\.com" must/,
  ],
  ['two files to draw', ['draw', exampleFile, exampleFile], /^draw takes one FILE\./],
  [
    'simulate with neither --person nor --scenario',
    ['simulate', exampleFile],
    /^simulate needs either --person or --scenario\./,
  ],
  [
    'simulate with both --person and --scenario',
    ['simulate', exampleFile, '--person', 'a', '--scenario', 'b'],
    /^simulate needs either/,
  ],
  ['a file that does not exist', ['check', 'none.flow.ts'], /^none\.flow\.ts does not exist\.\n$/],
  ['a folder', ['check', 'flows'], /^flows must end in \.ts or \.json\.\n$/],
  ['a folder with the name of a flow', ['check', makeSubfolder('folder.json')], /folder\.json is not a file\.\n$/],
  ['a module without a flow', ['check', 'flows/biometrics-link.ts'], /exports no flow\. Export exactly one flow/],
  ['a module with several flows', ['check', 'flows/index.ts'], /exports no flow/],
  ['invalid JSON', ['check', writeFile('no.json', '{')], /no\.json:1:2: Close brace expected\.\n$/],
  [
    'a duplicate name',
    ['check', writeFile('twice.json', '{\n  "start": "a",\n  "steps": { "a": { "kind": "wait" }, "\\u0061": {} }\n}')],
    /^\S*twice\.json:3:39: The field appears twice\. Field: `steps\.a`\.\n$/,
  ],
  [
    'a duplicate name in a simulation',
    ['simulate', writeFile('again.json', '{"a":1,"a":1}'), '--person', 'ignores sms'],
    /again\.json:1:8: The field appears twice\./,
  ],
  [
    'a file that is not UTF-8',
    ['check', writeFile('latin.json', Buffer.from([0x7b, 0xe9, 0x7d]))],
    /latin\.json is not UTF-8\.\n$/,
  ],
  ['an unsupported image format', ['draw', exampleFile, '--out', 'a.png'], /^--out must end in \.svg\.\n/],
  [
    'an unknown expected outcome',
    ['test', flowWithWrongScenario],
    /lots\.scenarios\.yaml:3:22: expect\.outcome: There is no outcome `Lots`\. .*Use one of /,
  ],
  [
    'invalid TypeScript',
    ['check', writeFile('torn.flow.ts', "export const a = {\n  b: 'c',\n  d: ,\n};\n")],
    /^\S*torn\.flow\.ts:3:6: Expression expected\.\n$/,
  ],
  [
    'a module with a missing import',
    ['check', writeFile('gone.flow.ts', "import './gone';\n")],
    /^.* cannot be loaded: .*\n$/,
  ],
  [
    'more white space than PUT accepts',
    ['check', writeFile('wide.json', `{${' '.repeat(65_536)}"start":"a","steps":{}}`)],
    /wide\.json has 65560 bytes, but PUT accepts at most 65536\. Remove white space, or shorten the flow\.\n$/,
  ],
  [
    'texts that PUT refuses',
    ['check', writeFile('nul.json', '{"title":"a\\u0000","start":"a","steps":{}}')],
    /nul\.json: `title` must not contain U\+0000: remove .*\.\n$/,
  ],
  ['an empty file', ['check', writeFile('empty.json', ' \n')], /empty\.json: the file is empty\.\n$/],
  [
    'JSON that is not an object',
    ['check', writeFile('list.json', '[]')],
    /list\.json is not a flow\. A flow is an object with `start` and `steps`\.\n$/,
  ],
  [
    'a flow without scenarios',
    ['test', writeFlow('alone.json')],
    /alone\.json has no scenarios. Write them in .*alone\.scenarios/,
  ],
  [
    'an unknown scripted step in --person',
    ['simulate', exampleFile, '--person', 'sleeps'],
    /^--person: `sleeps` is not a scripted step/,
  ],
])('a command exits with 2 for wrong usage or an unusable file: %s', async (_, args, expected) => {
  const { code, out, err } = await runCommand(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(expected);
});

test.each([['help'], ['--help'], ['check', '-h']])(
  'the command prints the usage for %s and exits with 0',
  async (...args) => {
    expect(await runCommand(args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: npm run flow/),
      err: '',
    });
  },
);

describe('the output', () => {
  const escape = String.fromCharCode(27);

  test.each([
    ['has colors on a terminal', { tty: true }, [], true],
    ['has no colors in a pipe', {}, [], false],
    ['has no colors with NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, [], false],
    ['has no colors with --plain', { tty: true }, ['--plain'], false],
  ] as const)('the output %s', async (_, context, args, hasColors) => {
    expect((await runCommand(['check', exampleFile, ...args], context)).out.includes(escape)).toBe(hasColors);
  });
});
