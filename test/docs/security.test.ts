import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');

test.each(['security.md', 'security-checklists.md'])(
  'every test, benchmark and npm script that %s names exists',
  (guide) => {
    const text = readFileSync(path.join(root, 'docs', guide), 'utf8');
    const files = Array.from(text.matchAll(/`((?:test|bench)\/[\w./-]+)`/g), ([, file = '']) => file);
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const commands = Array.from(text.matchAll(/`npm run ([\w:-]+)/g), ([, command = '']) => command);
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    expect(commands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([]);
  },
);

test('security.md names exactly the tables without a column `tenant`', () => {
  const folder = path.join(root, 'platform', 'migrations');
  const sql = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  const tables = Array.from(sql.matchAll(/create (?:unlogged )?table (\w+) \(([\s\S]*?)\n\);/g));
  expect(tables.length).toBeGreaterThan(20);
  const withoutTenant = tables
    .filter(([, , columns = '']) => !/^ *tenant /m.test(columns))
    .map(([, name = '']) => name);
  const guide = readFileSync(path.join(root, 'docs', 'security.md'), 'utf8');
  const section = /<!-- tables -->([\s\S]*?)<!-- \/tables -->/.exec(guide)?.[1] ?? '';
  const named = section
    .split('\n')
    .flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, name = '']) => name));
  expect(named.toSorted()).toEqual(withoutTenant.toSorted());
});
