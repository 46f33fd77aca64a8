import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const markdownFiles = [
  'README.md',
  'CHANGELOG.md',
  'bench/README.md',
  'deploy/helm/countersign/README.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/decisions'),
];

function markdownIn(folder: string): string[] {
  const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.md'));
  return files.map((file) => `${folder}/${file}`);
}

/** The anchors that GitHub creates from headings. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(path.join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(markdownFiles.map((file) => [file]))('every link of %s has a target', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  const broken = targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [targetPath = '', anchor] = target.split('#');
    const targetFile = targetPath === '' ? file : path.join(path.dirname(file), targetPath);
    if (!existsSync(path.join(root, targetFile))) return true;
    return anchor !== undefined && !anchorsOf(targetFile).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(markdownFiles.filter((file) => file.startsWith('docs/')).map((file) => [file]))(
  'every source file that %s names exists',
  (file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const folders =
      'client|flows|domain|workflows|activities|store|messages|scoring|images|api|web|worker|platform|dev|test|bench|docs';
    const sourceFiles = Array.from(
      text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g')),
      ([, name = '']) => name,
    );
    expect(sourceFiles.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  },
);
