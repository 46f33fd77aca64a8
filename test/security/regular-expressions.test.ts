import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { flowLimits } from '../../domain/flows/flow-limits';

const root = path.join(__dirname, '..', '..');
const folders = ['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker', 'platform'];
/** The length of a hostile text, in characters. It is long enough to tell quadratic from linear growth. */
const hostileLength = 20_000;
/** A search that takes less than this time is fast enough. While Node.js searches with an expression, all other requests wait. */
const suspectMs = 5;
/** How many times longer a search may take in a text that is ten times as long. Linear growth has the ratio 10, quadratic growth 100. */
const growthMax = 30;
/** For the expressions in `shortInputs`. Some 20 times what they need. */
const shortInputMs = 100;

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

/** Expressions that are slow on long hostile texts, with the length of the longest text that they can get, in characters. */
const shortInputs = new Map<string, number>([
  // Longer texts of flows are rejected earlier.
  ['[a-z][a-z0-9+.-]*:\\/\\/\\S*', flowLimits.messageCharacters],
  // The next two get only the SVG of Graphviz. Graphviz escapes the texts of flows, so no attacker can write such tags.
  ['<!--[^]*?-->\\n', 0],
  ['(?:<title>[^<]*<\\/title>\\n)?<g id="[^"]*"><a xlink:title="([^"]*)">\\n([^]*?)<\\/a>\\n<\\/g>\\n', 0],
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

test('an analyser finds only expressions that take linear time, except those that get short texts', async () => {
  const slow: string[] = [];
  // The analyser reports the expressions in `shortInputs` as slow, so the test skips them. The analyser tries random texts. The fixed seed
  // gives the same result every time.
  const options = { timeout: 60_000, randomSeed: 1 };
  for (const { source, flags } of expressions)
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

const inputOf = (part: string, size: number, end: string) => part.repeat(Math.ceil(size / part.length)) + end;

/** Whether an expression is slow for the longest text that it can get. */
function isSlow(expression: Found, part: string, end: string): boolean {
  const length = shortInputs.get(expression.source);
  if (length === undefined) return growsFast(expression, part, end);
  return shortestTimeOf(expression, inputOf(part, length, end)) > shortInputMs;
}

/** Whether the search in a text that is ten times as long takes much more than ten times as long. A text repeats `part`, then has `end`. */
function growsFast(expression: Found, part: string, end: string): boolean {
  // With quadratic growth, the search in this text takes hundreds of milliseconds.
  if (timeOf(expression, inputOf(part, hostileLength, end)) < suspectMs) return false;
  const longMs = shortestTimeOf(expression, inputOf(part, hostileLength, end));
  return longMs > growthMax * shortestTimeOf(expression, inputOf(part, hostileLength / 10, end));
}

const findSlow = (found: readonly Found[]): string[] =>
  found.flatMap((expression) =>
    partsOf(expression).flatMap((part) =>
      ['', '\u0001']
        .filter((end) => isSlow(expression, part, end))
        .map((end) => `${expression.file}: /${expression.source}/ for ${part} … ${JSON.stringify(end)}`),
    ),
  );

test('no expression needs a time that grows much faster than the text, except those that get short texts', () => {
  expect(findSlow(expressions)).toEqual([]);
  // Quadratic, which proves that the test can fail.
  expect(findSlow([{ file: 'test', source: 'a+$', flags: '' }])).not.toEqual([]);
});
