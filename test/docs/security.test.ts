import { existsSync, readFileSync } from 'node:fs';
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
