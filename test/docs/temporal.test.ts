import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openGuide } from '../support/guide';

const root = path.join(__dirname, '..', '..');
const { guide, table } = openGuide('temporal.md', 'runbooks.md');

const sourceOf = (...folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(root, folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

test('the code of the workflows has every summary and name in the table about the history of a workflow', () => {
  const source = sourceOf('workflows');
  const rows = table('history');
  // `…` and words in capitals are placeholders.
  const summaries = rows
    .filter(([, summary]) => summary !== '–')
    .map(([, summary = '']) => summary)
    .map((summary) =>
      summary.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/…|\b[A-Z]+\b/g, String.raw`\$\{[^}]+\}`),
    );
  expect(summaries.filter((summary) => !new RegExp(summary).test(source))).toEqual([]);
  const names = rows.flatMap(([entry = '']) =>
    Array.from(`\`${entry}\``.matchAll(/`(\w+)`/g), ([, name = '']) => name),
  );
  expect(names.filter((name) => name !== 'timer' && !source.includes(name))).toEqual([]);
});

test('the log lines of the guide exist in the code', () => {
  const source = sourceOf('activities', 'api', 'worker', 'workflows', 'platform');
  const lines = [
    ...Array.from(guide.matchAll(/log says `([^`]+)`/g), ([, line = '']) => line),
    ...Array.from(guide.matchAll(/^- `([a-z]+ [a-z ]+)`/gm), ([, line = '']) => line),
  ];
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.filter((line) => !source.includes(line))).toEqual([]);
});
