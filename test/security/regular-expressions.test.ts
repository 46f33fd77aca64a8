import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';

const root = path.join(__dirname, '..', '..');
const folders = ['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker', 'platform'];
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

/**
 * The time of these expressions grows with the square of the length of the text. They are accepted, because no attacker can make them slow.
 */
const slowExpressions = [
  // Both search only the SVG of Graphviz, which escapes the texts of flows. So no attacker can write such tags.
  '<!--[^]*?-->\\n',
  '(?:<title>[^<]*<\\/title>\\n)?<g id="[^"]*"><a xlink:title="([^"]*)">\\n([^]*?)<\\/a>\\n<\\/g>\\n',
];

test('the search finds the expressions of the code', () => {
  expect(expressions.length).toBeGreaterThan(100);
  expect(expressions.map(({ source }) => source)).toContain('^(?:SM|MM)[0-9a-f]{32}$');
});

/** A fixed seed and no time limits give the same result on every machine. */
const options = {
  randomSeed: 1,
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
} as const;

/** `safe`: the time grows at most linearly with the length of the text. */
const analyze = async ({ source, flags }: Pick<Found, 'source' | 'flags'>) =>
  (await check(source, flags, options)).status;

test('the only slow expressions that an analyser finds are those that no attacker can use', async () => {
  const slow: string[] = [];
  for (const expression of expressions) if ((await analyze(expression)) !== 'safe') slow.push(expression.source);
  expect(slow.toSorted()).toEqual(slowExpressions.toSorted());
});

test.each(['^(a+)+$', 'a+$'])('the analyser finds that /%s/ is slow', async (source) => {
  expect(await analyze({ source, flags: '' })).toBe('vulnerable');
});
