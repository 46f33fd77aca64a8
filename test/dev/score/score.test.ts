import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawReport } from '../../../dev/score/draw-report';
import { runScore } from '../../../dev/score/main';
import { type Report, toReport } from '../../../dev/score/report';
import { createTally } from '../../../dev/score/tally';
import { defaultPolicy } from '../../../domain/scoring/policy';

const examples = path.join(__dirname, '../../../docs/examples');
const policyFile = path.join(examples, 'policy.json');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'countersign-score-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeFile(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const writeLines = (lines: readonly unknown[]) =>
  writeFile(
    'lines.ndjson',
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );

async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const stdout = { write: (text: string) => void (out += text) };
  const stderr = { write: (text: string) => void (err += text) };
  const code = await runScore(args, { stdout, stderr });
  return { code, out, err };
}

/** Scores lines with the example policy of the documentation. */
async function createReport(lines: readonly unknown[], ...options: string[]): Promise<Report> {
  const { out } = await run('--policy', policyFile, '--transactions', writeLines(lines), '--json', ...options);
  return JSON.parse(out) as Report;
}

const countHits = ({ rules }: Report, code: string, relevance: string) =>
  rules.find((rule) => rule.code === code && rule.relevance === relevance)?.hits;

const phone = { countryCode: 55, areaCode: 11, number: 987654321 };
const person = { documentType: 'CPF', document: '52998224725', phone };
const otherPersons = ['11144477735', '12345678909', '00000000191'].map((document) => ({ ...person, document }));

describe('history', () => {
  it('history comes from earlier lines: the third and the fourth document on one phone have a finding', async () => {
    expect(countHits(await createReport([person, ...otherPersons.slice(0, 1)]), 'PH004', 'Negativo')).toBe(0);
    expect(countHits(await createReport([person, ...otherPersons]), 'PH004', 'Negativo')).toBe(2);
  });

  it('a denial applies to the scores of later lines, and not to the score of its own line', async () => {
    const deniedPerson = { ...person, facts: { denied: true } };
    const result = await createReport([person, deniedPerson, person]);
    expect(countHits(result, 'LK004', 'Negativo')).toBe(1);
    expect(countHits(result, 'CF003', 'Negativo')).toBe(0);
  });

  it('a denial applies to the score of its own line with --with-facts', async () => {
    const result = await createReport([person, { ...person, facts: { denied: true } }], '--with-facts');
    expect(countHits(result, 'CF003', 'Negativo')).toBe(1);
    expect(countHits(result, 'LK004', 'Negativo')).toBe(0);
    expect(result.ownFacts).toBe('counted');
  });

  it('scoring a file uses no DNS: a domain that does not exist has no finding', async () => {
    const result = await createReport([{ ...person, email: 'a@no-such-domain.invalid' }]);
    expect(result.rules.find(({ code }) => code === 'EM002')).toMatchObject({ knownShare: 0, hits: 0 });
    expect(result.notQueried).toEqual(['dns', 'bureau']);
  });
});

describe('the report', () => {
  const labeledLines = [
    { ...person, label: 'good' },
    { ...person, document: '52998224700', label: 'bad' },
    { ...person, document: '52998224701' },
  ];

  it('the report counts scores, rules and labels', async () => {
    const result = await createReport(labeledLines, '--language', 'en');
    expect(result.transactions).toEqual({ scored: 3, unreadable: 0, undated: 3, good: 1, bad: 1 });
    expect(result.notInPolicy).toEqual([]);
    expect(result.bands.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(result.separation).toMatchObject({ auc: 1, ks: { distance: 1 } });
    expect(result.policy).toBe(defaultPolicy.version);
    expect(result.rules.find(({ code }) => code === 'DC001')).toMatchObject({
      hits: 2,
      knownShare: 1,
      meanPoints: -40,
      shareOf: { good: 0, bad: 1 },
    });
  });

  it.each([
    [100, 9],
    [90, 9],
    [89.99, 8],
    [0, 0],
  ])('the report counts a score of %d in band %d', async (base, band) => {
    const policy = writeFile('bare.json', JSON.stringify({ ...defaultPolicy, base, points: { 'DC004.Neutro': 0 } }));
    const { out } = await run('--policy', policy, '--transactions', writeLines([person]), '--json');
    expect((JSON.parse(out) as Report).bands.map(({ count }) => count).indexOf(1)).toBe(band);
  });

  it('the report describes every rule of the policy in the language of the option --language', async () => {
    const [english, spanish] = [
      await createReport(labeledLines, '--language', 'en'),
      await createReport(labeledLines, '--language', 'es'),
    ];
    expect(english.rules).toHaveLength(Object.keys(defaultPolicy.points).length);
    expect(english.rules[0]?.description).not.toBe(spanish.rules[0]?.description);
  });

  it('without both labels, the report has no measure of how well scores separate the labels (AUC and KS)', async () => {
    expect((await createReport([person])).separation).toBeUndefined();
    const { out } = await run('--policy', policyFile, '--transactions', writeLines([{ ...person, label: 'good' }]));
    expect(out).toContain('AUC and KS need both labels');
  });

  it('the report has no block characters with --plain', async () => {
    const args = ['--policy', policyFile, '--transactions', writeLines(labeledLines), '--language', 'en'];
    expect((await run(...args, '--plain')).out).not.toContain('█');
    expect((await run(...args)).out).toContain('█');
  });

  it('the report gives the same scores for the same file', async () => {
    const [firstReport, secondReport] = [
      await createReport([person, ...otherPersons]),
      await createReport([person, ...otherPersons]),
    ];
    expect({ ...secondReport, elapsedMs: 0 }).toEqual({ ...firstReport, elapsedMs: 0 });
  });
});

describe('lines that cannot be scored', () => {
  it('lines that cannot be scored are counted and reported by number, and do not stop the run', async () => {
    const lines = [person, '{"oops', { documentType: 'CPF' }, '', person];
    const { code, out } = await run('--policy', policyFile, '--transactions', writeLines(lines));
    expect(code).toBe(0);
    expect(out).toContain('2 transactions scored, 2 lines skipped');
    expect(out).toContain('line 2: is not JSON in UTF-8');
    expect(out).toContain('line 3: document: is required');
    expect(out).not.toContain('line 4');
  });

  it('lines that cannot be scored are listed up to a limit of twenty', async () => {
    const result = await createReport([person, ...Array.from({ length: 25 }, () => 'no')]);
    expect(result.transactions.unreadable).toBe(25);
    expect(result.issues.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  });

  it('lines that are longer than any body that the API accepts are reported, and do not stop the run', async () => {
    const result = await createReport([person, `"${'x'.repeat(200_000)}"`, person]);
    expect(result.issues).toEqual([{ line: 2, reason: 'is longer than 131072 bytes' }]);
    expect(result.transactions.scored).toBe(2);
  });

  it.each([
    ['an empty file', ''],
    ['blank lines', '\n \r\n\n'],
    ['nothing but bad lines', 'a\nb\n'],
  ])('the run ends with an error if no line can be scored: %s', async (_, content) => {
    const file = writeFile('none.ndjson', content);
    const { code, err } = await run('--policy', policyFile, '--transactions', file);
    expect(code).toBe(1);
    expect(err).toContain('no line could be scored');
  });
});

describe('unusable input', () => {
  const writeWrongPolicy = (change: object) => writeFile('wrong.json', JSON.stringify({ ...defaultPolicy, ...change }));

  it.each<[string, () => string[], string]>([
    ['a missing policy', () => ['--transactions', 'x'], '--policy is missing.'],
    ['missing transactions', () => ['--policy', 'x'], '--transactions is missing.'],
    ['an unknown option', () => ['--polcy', 'x'], "Unknown option '--polcy'"],
    [
      'an unknown language',
      () => ['--policy', 'x', '--transactions', 'y', '--language', 'fr'],
      '--language must be one of',
    ],
  ])('the command prints the usage after a wrong argument: %s', async (_, args, message) => {
    const { code, out, err } = await run(...args());
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain('Usage: npm run -s score');
    expect(out).toBe('');
  });

  it('the command prints the usage to standard output with --help', async () => {
    const { code, out, err } = await run('--help');
    expect([code, out.split(' -- ')[0], err]).toEqual([0, 'Usage: npm run -s score', '']);
  });

  it.each<[string, () => string[], string]>([
    [
      'a missing policy',
      () => ['--policy', '/none/p.json', '--transactions', 'x'],
      '--policy /none/p.json: cannot be read (ENOENT).',
    ],
    [
      'missing transactions',
      () => ['--policy', policyFile, '--transactions', '/none/t'],
      '--transactions /none/t: cannot be read (ENOENT).',
    ],
    ['a folder', () => ['--policy', policyFile, '--transactions', folder], 'is a folder.'],
    [
      'a policy that is not JSON',
      () => ['--policy', writeFile('p.json', '{'), '--transactions', 'x'],
      'p.json: is not JSON.',
    ],
    [
      'an error in a policy',
      () => ['--policy', writeWrongPolicy({ base: 101 }), '--transactions', 'x'],
      'wrong.json: base: ',
    ],
    [
      'all errors',
      () => ['--policy', writeWrongPolicy({ version: '', points: { 'PH999.Negativo': -1 } }), '--transactions', 'x'],
      'wrong.json: points.PH999.Negativo: ',
    ],
    [
      'a missing folder for the chart',
      () => ['--policy', policyFile, '--transactions', writeLines([person]), '--out', '/none/a.svg'],
      '--out /none/a.svg: its folder does not exist.',
    ],
  ])('unusable input is reported with its file: %s', async (_, args, message) => {
    const { code, out, err } = await run(...args());
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain('Usage:');
    expect(out).toBe('');
  });
});

describe('personal data', () => {
  const secretValues = ['Zoraide', '52998224725', 'zoraide.q', '987654321', 'sess-4711'];
  const secretPerson = { ...person, name: 'Zoraide Quintela', email: 'zoraide.q@example.com', sessionId: 'sess-4711' };
  const lines = [
    secretPerson,
    `${JSON.stringify(secretPerson).slice(0, -1)},Zoraide}`,
    { ...secretPerson, Zoraide_52998224725: 1 },
    { ...secretPerson, phone: '987654321' },
  ];

  it.each([['--plain'], ['--json'], ['--with-facts']])('personal data is never printed (%s)', async (option) => {
    const chartFile = path.join(folder, 'secret.svg');
    const { code, out, err } = await run(
      '--policy',
      policyFile,
      '--transactions',
      writeLines(lines),
      option,
      '--out',
      chartFile,
    );
    expect(code).toBe(0);
    for (const value of secretValues) expect(out + err + readFileSync(chartFile, 'utf8')).not.toContain(value);
  });

  it('personal data is not printed if the policy and the transactions are swapped', async () => {
    const { code, out, err } = await run('--policy', writeLines(lines.slice(1)), '--transactions', policyFile);
    expect(code).toBe(2);
    for (const value of secretValues) expect(out + err).not.toContain(value);
  });
});

it('the example in the documentation is scored completely', async () => {
  const file = path.join(examples, 'transactions.ndjson');
  const { code, out } = await run('--policy', policyFile, '--transactions', file, '--json');
  expect(code).toBe(0);
  const { transactions, separation } = JSON.parse(out) as Report;
  expect(transactions).toMatchObject({ scored: 60, unreadable: 0 });
  expect(separation?.auc).toBeGreaterThan(0.8);
});

describe('the chart', () => {
  const draw = async (lines: readonly unknown[], policy = policyFile) => {
    const file = path.join(folder, 'report.svg');
    expect((await run('--policy', policy, '--transactions', writeLines(lines), '--out', file)).code).toBe(0);
    return readFileSync(file, 'utf8');
  };

  const findCurves = (svg: string) => svg.match(/<path [^>]*fill="none"[^>]* stroke="#(1f6fb2|d1560f)"/g);

  it('the chart has the figures, a curve for each label, and the distance between the curves', async () => {
    const svg = await draw([
      { ...person, label: 'good' },
      { ...person, document: '52998224700', label: 'bad' },
    ]);
    expect(svg).toMatch(/>2 transactions scored · AUC 1\.000 · KS 1\.000 at score \d/);
    for (const name of ['good (1)', 'bad (1)']) expect(svg).toContain(`>${name}</text>`);
    expect(findCurves(svg)).toHaveLength(2);
    expect(svg).toMatch(/>KS 1\.000 at \d/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('the chart has only one curve if the lines have no labels', async () => {
    const svg = await draw([person]);
    expect(svg).toContain('>all (1)</text>');
    expect(findCurves(svg)).toHaveLength(1);
    expect(svg).not.toContain('KS');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('the chart shows, for each label, the share of its scores in each band', () => {
    const scores = { good: [95, 96, 100, 50], bad: [9.99], unlabeled: [] };
    const tally = { ...createTally(), scores };
    const report = toReport(tally, { policy: defaultPolicy, withFacts: false, language: 'en', elapsedMs: 1 });
    // The group in the expression is the height of a bar in pixels.
    const bars =
      /l0 (-?[\d.]+)l[^"]*" fill="#\w+" ecmeta_series_index="[01]" ecmeta_data_index="\d" ecmeta_ssr_type="chart"/g;
    // A bar of the share 1 is 214 pixels high.
    const heights = [...drawReport(report, scores).matchAll(bars)].map(([, height]) => Math.abs(Number(height)) / 214);
    expect(heights).toEqual([0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0.75, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('the chart writes the version of a policy as text, not as markup', async () => {
    const policy = writeFile('markup.json', JSON.stringify({ ...defaultPolicy, version: '<script>&"' }));
    const svg = await draw([person], policy);
    expect(svg).not.toContain('<script>');
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
  });
});
