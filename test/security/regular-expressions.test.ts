import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { sampleOf, seed } from '../support/sample';

const root = path.join(__dirname, '..', '..');
const folders = ['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker', 'platform'];
/** The length of a hostile text, in characters. It is long enough to tell quadratic from linear growth. */
const hostileLength = 20_000;
/** A search that takes less than this time is fast enough. While Node.js searches with an expression, all other requests wait. */
const suspectMs = 5;
/** How many times longer a search may take in a text that is ten times as long. Linear growth has the ratio 10, quadratic growth 100. */
const growthMax = 30;

/** A regular expression in the code. */
interface Found {
  file: string;
  source: string;
  flags: string;
}

/** All regular expressions of the production code. */
function findExpressions(): Found[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const found = new Map<string, Found>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.ESNext);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.set(node.text, { file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()];
}

const expressions = findExpressions();

/** Expressions that are slow on long hostile texts, but get only short texts, or none that an attacker writes. */
const shortInputs = new Set([
  // Longer texts of flows are rejected earlier.
  '[a-z][a-z0-9+.-]*:\\/\\/\\S*',
  // The next two get only the SVG of Graphviz. Graphviz escapes the texts of flows, so no attacker can write such tags.
  '<!--[^]*?-->\\n',
  '(?:<title>[^<]*<\\/title>\\n)?<g id="[^"]*"><a xlink:title="([^"]*)">\\n([^]*?)<\\/a>\\n<\\/g>\\n',
]);

/** A hostile text repeats one of these parts: the characters of the expression, and parts of the texts that the service gets. */
const partsOf = ({ source }: Found): string[] => [
  ...new Set([
    ...Array.from(source),
    ...['a', '0', ' ', '-', '.', '@', '/', '+', '\n', '{{', '}}', 'aa.', 'a@', '0-', '%2', '\u00e3'],
  ]),
];

test('the search finds the expressions of the code', () => {
  expect(expressions.length).toBeGreaterThan(100);
  expect(expressions.map(({ source }) => source)).toContain('^(?:SM|MM)[0-9a-f]{32}$');
});

test(`an analyser finds only expressions that take linear time, except those that get short texts (TEST_SEED ${seed})`, async () => {
  const slow: string[] = [];
  // The analyser reports the expressions in `shortInputs` as slow, so the test skips them. The analyser tries random texts. The fixed seed
  // gives the same result every time.
  const options = { timeout: 60_000, randomSeed: 1 };
  for (const { source, flags } of sampleOf(expressions, 40))
    if (!shortInputs.has(source) && (await check(source, flags, options)).status !== 'safe') slow.push(source);
  expect(slow).toEqual([]);
  expect((await check('^(a+)+$', '')).status).toBe('vulnerable');
});

/** Milliseconds for one search. */
function timeOf({ source, flags }: Found, input: string): number {
  const pattern = new RegExp(source, flags);
  const startedAt = performance.now();
  pattern.test(input);
  return performance.now() - startedAt;
}

/** The shortest of five times, because other programs use the processor, too. */
const shortestTimeOf = (expression: Found, input: string): number =>
  Math.min(...Array.from({ length: 5 }, () => timeOf(expression, input)));

/** Whether the search in a text that is ten times as long takes much more than ten times as long. A text repeats `part`, then has `end`. */
function growsFast(expression: Found, part: string, end: string): boolean {
  const inputOf = (size: number) => part.repeat(Math.ceil(size / part.length)) + end;
  // With quadratic growth, the search in this text takes hundreds of milliseconds.
  if (timeOf(expression, inputOf(hostileLength)) < suspectMs) return false;
  const longMs = shortestTimeOf(expression, inputOf(hostileLength));
  return longMs > growthMax * shortestTimeOf(expression, inputOf(hostileLength / 10));
}

const findFastGrowth = (found: readonly Found[]): string[] =>
  found.flatMap((expression) =>
    partsOf(expression).flatMap((part) =>
      ['', '\u0001']
        .filter((end) => growsFast(expression, part, end))
        .map((end) => `${expression.file}: /${expression.source}/ for ${part} … ${JSON.stringify(end)}`),
    ),
  );

test('no expression needs a time that grows much faster than the text', () => {
  // The analyser reports the expressions in `shortInputs`, too. They never get texts that are long enough to matter.
  expect(findFastGrowth(expressions.filter(({ source }) => !shortInputs.has(source)))).toEqual([]);
  // Quadratic, which proves that the test can fail.
  expect(findFastGrowth([{ file: 'test', source: 'a+$', flags: '' }])).not.toEqual([]);
});
