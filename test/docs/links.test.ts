import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const texts = ['README.md', 'CHANGELOG.md', 'bench/README.md', ...markdownIn('docs'), ...markdownIn('docs/decisions')];

function markdownIn(folder: string): string[] {
  const files = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.md'));
  return files.map((file) => `${folder}/${file}`);
}

/** The anchors of a text, as GitHub creates them from its headings. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(path.join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(texts.map((file) => [file]))('every link of %s has a target', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  const broken = targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [place = '', anchor] = target.split('#');
    const linked = place === '' ? file : path.join(path.dirname(file), place);
    if (!existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && !anchorsOf(linked).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(texts.filter((file) => file.startsWith('docs/')).map((file) => [file]))(
  'every source file that %s names exists',
  (file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const folders = 'flows|domain|workflows|activities|store|api|worker|platform|dev|test|bench|docs';
    const named = Array.from(text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g')), ([, name = '']) => name);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  },
);
