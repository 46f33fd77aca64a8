import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPutFlow } from '../../../api/flows/read-put-body';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { exampleFile, fixedSimulation, openFolder, runCommand } from './flow-command-world';

const { folder, writeFile, writeFlow } = openFolder();

/** The issues of `PUT /v1/flows/{name}` for a body with a name. */
function readPutIssues(body: Record<string, unknown>): readonly { code: string; message: string; fix: string }[] {
  const result = readPutFlow(String(body['name']), body);
  return 'issues' in result ? result.issues : [];
}

describe('check', () => {
  test('check prints the limits of a valid flow and exits with 0', async () => {
    const { code, out } = await runCommand(['check', exampleFile, writeFlow('copy.json')]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /phone-only\.flow\.ts: valid\n {2}phone-only \(version 1\) has 5 steps\. Its outcomes: Confirmed, Expired, Blocked/,
    );
    expect(out).toMatch(/A flow run takes at most [\d a-z]+ and sends at most 4 messages\./);
    expect(out).toMatch(/copy\.json: valid\n/);
  });

  test('check accepts links to the domains of --link-domains, and reports an SMS that is too long', async () => {
    const message = (body: string) =>
      Object.fromEntries(['pt-BR', 'en', 'es'].map((language) => [language, { body: `{{code}} ${body}` }]));
    const write = (name: string, body: string) => {
      const { template: _, ...code } = smsTokenFlow.steps['code'] as { template: string };
      return writeFlow(name, { steps: { ...smsTokenFlow.steps, code: { ...code, message: message(body) } } });
    };
    const linkFile = write('link.json', 'https://help.acme.com/code');
    expect((await runCommand(['check', linkFile])).out).toMatch(/\[link-not-allowed\]/);
    const options = ['--link-domains', 'example.com, ACME.com'];
    expect(await runCommand(['check', linkFile, ...options])).toMatchObject({ code: 0 });
    expect((await runCommand(['check', write('long.json', 'x'.repeat(700))])).out).toMatch(
      /has 711 characters in 5 segments.*\n.*Shorten the text to 4 segments: at most 612 characters, or at most 268 characters if/,
    );
  });

  test('check prints issues with path and fix and exits with 1', async () => {
    const { code, out } = await runCommand(['check', exampleFile, writeFlow('bad.json', { start: 'nowhere' })]);
    expect(code).toBe(1);
    expect(out).toMatch(/bad\.json: \d+ issues?\n {2}1:\d+ {2}start \[[a-z-]+\]\n {4}\S.*\n {4}\S/);
  });

  test.each([
    ['a step without a kind', { steps: { code: {} } }, 'steps.code.kind [step-kind-unknown]'],
    [
      'a step without its exits',
      { steps: { code: { kind: 'notify', event: 'a' } } },
      'steps.code.exits [field-missing]',
    ],
    ['a flow without a start', { start: undefined }, 'start [field-missing]'],
  ])('check and draw report %s as an issue', async (_, changes, expected) => {
    const invalidFile = writeFlow('misshapen.json', changes);
    const { code, out } = await runCommand(['check', invalidFile]);
    expect([code, out]).toEqual([1, expect.stringContaining(expected)]);
    const drawResult = await runCommand(['draw', invalidFile]);
    expect([drawResult.code, drawResult.out, drawResult.err]).toEqual([1, '', expect.stringContaining(expected)]);
    expect(drawResult.err).toMatch(/\nNothing was drawn. Fix these issues first\.\n$/);
  });

  test.each([
    ['a version', { version: 7 }, ['version [version-given]']],
    ['a name in capitals', { name: 'Sign Up' }, ['name [flow-name]']],
    ['an invalid name', { name: 7 }, ['name [wrong-type]']],
    ['a $schema that is a number', { $schema: 7 }, ['$schema [wrong-type]']],
    ['a $schema that is null', { $schema: null, title: 7 }, ['$schema [wrong-type]', 'title [wrong-type]']],
    [
      'a version, a name in capitals, and a missing step',
      { version: 7, name: 'Sign Up', start: 'x' },
      ['version [version-given]', 'name [flow-name]', 'start [start-unknown]'],
    ],
    [
      'an unknown field, and a missing step',
      { start: 'x', titel: 7 },
      ['titel [field-unknown]', 'start [start-unknown]'],
    ],
    ['a title that is a number', { version: 7, title: 7 }, ['version [version-given]', 'title [wrong-type]']],
  ])('check prints the same issues as PUT for a .json with %s', async (_, changes, places) => {
    const text = JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes });
    const { code, out } = await runCommand(['check', writeFile('put.json', text)]);
    expect([code, out.match(/(?<=^ {2}\d+:\d+ {2})\S+ \[.*\]$/gm)?.slice(0, places.length)]).toEqual([1, places]);
    // In a PUT, the name comes from the path, so it is always a text.
    if ('name' in changes && typeof changes.name !== 'string') return;
    const expected = readPutIssues(JSON.parse(text) as Record<string, unknown>);
    for (const { message, fix } of expected) expect(out).toContain(`    ${message}\n    ${fix}\n`);
    expect(out.match(/(?<=\[)[a-z-]+(?=\]$)/gm)).toEqual(expected.map((issue) => issue.code));
  });

  test.each([
    ['with a name', 'sign-up', { name: 'sign-up' }, '`title`, `values`, `start`'],
    ['without a name', 'sign-up', {}, '`title`, `values`, `start`'],
    ['with an invalid name in a file', undefined, { name: 7 }, '`title`, `values`, `start`'],
  ])('the fix for an unknown field lists the missing fields of a flow %s', (_, name, definition, fields) => {
    const { steps } = smsTokenFlow;
    const readResult = readPutFlow(name, { steps, ...definition, titel: 'x' });
    const fixes = 'issues' in readResult ? readResult.issues.map(({ path, fix }) => [path, fix]) : [];
    expect(fixes).toContainEqual(['titel', `Did you mean \`title\`? Write one of ${fields}, or remove it.`]);
  });

  test.each([
    ['mine.json', 0, 'mine (version 1) has'],
    ['mine.flow.json', 0, 'mine (version 1) has'],
    ['My Flow.json', 1, 'such as `sign-up`. The name comes from the file name.'],
  ])('check uses the name of the file for a flow without a name: %s', async (name, exitCode, expected) => {
    const { code, out } = await runCommand(['check', writeFlow(name, { name: undefined })]);
    expect([code, out]).toEqual([exitCode, expect.stringContaining(expected)]);
  });

  test('check ignores a byte order mark, like PUT', async () => {
    const fileWithMark = writeFile('marked.json', `\uFEFF${readFileSync(writeFlow('unmarked.json'), 'utf8')}`);
    expect(await runCommand(['check', fileWithMark])).toMatchObject({ code: 0, err: '' });
  });

  test('check treats a flow without a version as version 1, like PUT', async () => {
    const { code, out } = await runCommand(['check', writeFlow('unversioned.json')]);
    expect([code, out]).toEqual([0, expect.stringContaining('sms-token (version 1) has')]);
  });

  test('check reports every file and exits with the highest code', async () => {
    const files = [
      writeFile('stub.json', '{"name":"x","title":"y"}'),
      writeFile('torn.json', '{"name":'),
      join(folder, 'none.json'),
      writeFlow('fine.json'),
    ];
    const { code, out, err } = await runCommand(['check', ...files]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /stub\.json: 2 issues\n {2}1:1 {2}start \[field-missing\][^]*\n {2}1:1 {2}steps \[field-missing\][^]*fine\.json: valid/,
    );
    expect(err).toMatch(/^\S*torn\.json:1:9: .*\n\S*none\.json does not exist\.\n$/);
    expect((await runCommand(['check', ...files.slice(0, 1), ...files.slice(3)])).code).toBe(1);
  });

  test('check reports an issue if a flow throws while it is loaded', async () => {
    const throwingModule = `class FlowError extends Error { name = 'FlowError' }; throw new FlowError('code has no exit Valid.');`;
    const { code, err } = await runCommand(['check', writeFile('refuses.flow.ts', throwingModule)]);
    expect([code, err]).toEqual([1, 'code has no exit Valid.\n']);
  });
});

describe('draw', () => {
  test('draw prints only the diagram, and writes the SVG beside the file', async () => {
    const copy = writeFlow('drawn.json');
    const { code, out, err } = await runCommand(['draw', copy]);
    expect([code, err]).toEqual([0, `Wrote ${join(folder, 'drawn.svg')}.\n`]);
    expect(out).toMatch(/^---\ntitle: "sms-token 1: A code by SMS"\n---\nstateDiagram-v2\n/);
    expect(readFileSync(join(folder, 'drawn.svg'), 'utf8')).toMatch(/^<svg /);
  });

  test('draw writes the SVG to --out, and reports a path that is not writable', async () => {
    const out = join(folder, 'elsewhere.svg');
    expect((await runCommand(['draw', exampleFile, '--out', out])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('phone-only 1');
    const { code, err } = await runCommand(['draw', exampleFile, '--out', join(folder, 'none', 'a.svg')]);
    expect([code, err]).toEqual([2, `${join(folder, 'none', 'a.svg')} cannot be written.\n`]);
  });
});

test('check, draw and simulate accept a .json that starts with $schema', async () => {
  const fileWithSchema = writeFlow('schemed.json', { $schema: './flow.schema.json' });
  expect((await runCommand(['check', fileWithSchema])).out).toMatch(/schemed\.json: valid\n/);
  expect((await runCommand(['draw', fileWithSchema, '--out', join(folder, 'schemed.svg')])).code).toBe(0);
  const simulatedFlows: object[] = [];
  const simulate = async () => ({
    run: (...args: Parameters<typeof fixedSimulation.run>) => (
      simulatedFlows.push(args[0]), fixedSimulation.run(...args)
    ),
    stop: async () => {},
  });
  expect(
    (await runCommand(['simulate', fileWithSchema, '--person', 'enters the code by sms'], { simulate })).code,
  ).toBe(0);
  expect(simulatedFlows).toEqual([{ ...smsTokenFlow, version: 1 }]);
});

test('draw reports the invalid $schema of a .json, and still draws the flow', async () => {
  const { code, out, err } = await runCommand(['draw', writeFlow('misplaced.json', { $schema: 7 })]);
  expect([code, out.includes('stateDiagram-v2')]).toEqual([1, true]);
  expect(err).toMatch(/misplaced\.json: 1 issue\n {2}1:\d+ {2}\$schema \[wrong-type\]\n/);
});

test('check reports the issues of a .flow.ts, and draw still draws the flow, as for a .json', async () => {
  const examplesFolder = join(process.cwd(), 'flows', 'examples');
  const text = readFileSync(join(examplesFolder, 'phone-only.flow.ts'), 'utf8').replace(
    "Valid: 'confirmed'",
    "Valid: 'confirmd'",
  );
  const invalidFile = writeFile(
    'faulty.flow.ts',
    text.replace(/'\.\.\/(.*?)'/g, (_, path) => JSON.stringify(join(examplesFolder, '..', path))),
  );
  const checkResult = await runCommand(['check', invalidFile]);
  expect([checkResult.code, checkResult.err]).toEqual([1, '']);
  expect(checkResult.out).toMatch(/faulty\.flow\.ts: 1 issue\n +steps\.code\.exits\.Valid \[/);
  const drawResult = await runCommand(['draw', invalidFile, '--out', join(folder, 'faulty.svg')]);
  expect([drawResult.code, drawResult.out.includes('stateDiagram-v2')]).toEqual([1, true]);
});

const flowModule = (flow: string) => {
  const quotedPath = (path: string) => JSON.stringify(join(process.cwd(), path));
  return [
    `import { defineFlow } from ${quotedPath('domain/flows/check-flow')};`,
    `import { templates } from ${quotedPath('flows/templates')};`,
    `export default defineFlow(templates, ${flow} as never);`,
  ].join('\n');
};

test.each([
  ['without a version', `{ name: 'a', start: 'd', steps: { d: { kind: 'outcome', outcome: 'Done' } } }`, ['version']],
  ['without steps', `{ name: 'a', version: 1, start: 'd' }`, ['steps']],
  [
    'with a misspelled field',
    `{ name: 'a', version: 1, start: 'p', steps: { p: { kind: 'wait', second: 6, then: 'd' }, d: { kind: 'outcome', outcome: 'Done' } } }`,
    ['steps.p.seconds', 'steps.p.second'],
  ],
])('check reports the issues of a .flow.ts %s, each with its path and fix', async (name, text, places) => {
  const { code, out, err } = await runCommand([
    'check',
    writeFile(`${name.replaceAll(' ', '-')}.flow.ts`, flowModule(text)),
  ]);
  expect([code, err]).toEqual([1, '']);
  expect(Array.from(out.matchAll(/^ {2}(\S+) \[field-[a-z]+\]\n {4}\S.*\n {4}\S/gm), ([, place]) => place)).toEqual(
    places,
  );
});
