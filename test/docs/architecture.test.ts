import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const guide = readFileSync(path.join(root, 'docs', 'architecture.md'), 'utf8');

/** The code of the layers. */
const folders = [
  'domain',
  'flows',
  'workflows',
  'activities',
  'store',
  'messages',
  'scoring',
  'images',
  'api',
  'worker',
  'platform',
];
const files = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
);

const isFolder = (name: string): boolean =>
  name.endsWith('/') && (statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() ?? false);

/** The files that a name can mean. A name without a folder is in the folder that was named last, or the only file with this name. */
function meaningsOf(name: string, lastFolder: string): string[] {
  if (name.includes('/')) return files.filter((file) => file === name);
  const neighbor = path.join(lastFolder, name);
  return files.includes(neighbor) ? [neighbor] : files.filter((file) => path.basename(file) === name);
}

/** The names in a line that mean no file or folder, or several files. */
function unclearNames(line: string): string[] {
  let lastFolder = '';
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, name = '']) => name).filter((name) => {
    if (isFolder(name)) {
      lastFolder = name;
      return false;
    }
    const [file, ...others] = meaningsOf(name, lastFolder);
    if (file !== undefined) lastFolder = path.dirname(file);
    return file === undefined || others.length > 0;
  });
}

test('the guide names files and folders that exist, and each name means one of them', () => {
  const lines = guide.replace(/^```[\s\S]*?^```/gm, '').split('\n');
  expect(lines.join().match(/`[\w./-]+\.ts`/g)?.length).toBeGreaterThan(40);
  expect(lines.flatMap(unclearNames)).toEqual([]);
});

test('a name that means no file or several files is found', () => {
  expect(unclearNames('`api/main.ts`, `none.ts`, `twilio.ts`, `api/none/` and `api/none.ts`')).toEqual([
    'none.ts',
    'twilio.ts',
    'api/none/',
    'api/none.ts',
  ]);
  expect(unclearNames('`activities/providers/routes.ts` → `twilio.ts`')).toEqual([]);
});
