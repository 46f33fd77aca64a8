import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { flowLimits } from '../../domain/flows/flow-limits';

const root = path.join(__dirname, '..', '..');
const folders = ['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker', 'platform'];
/** Any request can reach these expressions. While Node.js evaluates an expression, all other requests wait. */
const longestMs = 100;

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

/**
 * Repeated parts of the expression, with and without an end that does not match. Each input has 100 KB, or less if the expression only gets
 * shorter texts.
 */
function hostileInputs({ source }: Found): string[] {
  const length = shortInputs.get(source) ?? 100_000;
  const parts = [
    ...new Set(Array.from(source)),
    'a',
    '0',
    ' ',
    '-',
    '.',
    '@',
    '/',
    '+',
    '\n',
    '{{',
    '}}',
    'aa.',
    'a@',
    '0-',
    '%2',
    '\u00e3',
  ];
  return parts.flatMap((part) => {
    const repeated = part.repeat(Math.ceil(length / part.length));
    return [repeated, `${repeated}\u0001`];
  });
}

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

test(`no expression needs more than ${longestMs} ms for 100 KB`, () => {
  const slow: string[] = [];
  let longest = { ms: 0, expression: '' };
  for (const expression of expressions) {
    const pattern = new RegExp(expression.source, expression.flags);
    for (const input of hostileInputs(expression)) {
      const times = Array.from({ length: 3 }, () => {
        pattern.lastIndex = 0;
        const startedAt = performance.now();
        pattern.test(input);
        return performance.now() - startedAt;
      });
      // The shortest of three times counts, because other programs may use the processor.
      const ms = Math.min(...times);
      if (ms > longest.ms) longest = { ms, expression: `${expression.file}: /${expression.source}/` };
      if (ms > longestMs)
        slow.push(`${expression.file}: /${expression.source}/ ${ms.toFixed(1)} ms for ${input.slice(0, 6)}`);
    }
  }
  process.stderr.write(
    `  ${expressions.length} expressions, the slowest needs ${longest.ms.toFixed(2)} ms: ${longest.expression}\n`,
  );
  expect(slow).toEqual([]);
});
