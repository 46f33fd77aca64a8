import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './root.mjs';

/** With larger groups, one of two processes is idle at the end. With smaller groups, packages are loaded more often. */
const suitesPerGroup = 12;
const folder = join(root, '.cache', 'suites');

function listSuites() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file.split(sep).join('/')}`);
}

/**
 * Writes test files that run several suites each, in one process. A process loads each package once per test file, and for most
 * suites this takes longer than the tests. `accepts` selects suites by their path. Returns the folder of the test files.
 */
export function groupSuites(accepts) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const suites = listSuites().filter(accepts).toSorted();
  for (let start = 0; start < suites.length; start += suitesPerGroup) {
    const group = suites.slice(start, start + suitesPerGroup);
    const lines = group.map((file) => `describe('${file}', () => void require('../../${file}'));\n`);
    writeFileSync(join(folder, `${String(start / suitesPerGroup).padStart(2, '0')}.test.js`), lines.join(''));
  }
  return folder;
}
