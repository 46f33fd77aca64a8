import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './command.mjs';

/**
 * Number of suites (test files) in one group. With larger groups, one of two processes is idle at the end. With smaller groups, packages
 * are loaded more often.
 */
const suitesPerGroup = 12;
/**
 * Suites that take half a minute or more. Each of them is its own group. These groups start first. If a long group started last, it would
 * run alone for minutes.
 */
const longSuites = [
  'test/acceptance/guides.test.ts',
  'test/faults/restore.test.ts',
  'test/acceptance/environments.test.ts',
  'test/workflows/webhook-delivery.test.ts',
  'test/replay/storm.test.ts',
  'test/workflows/long-history.test.ts',
  'test/web/app-pages.test.ts',
  'test/web/flows/editor.test.ts',
  'test/web/pages.test.ts',
  'test/web/flows/accessibility.test.ts',
  'test/web/flows/page.test.ts',
  'test/web/biometrics/steps.test.ts',
  'test/web/flows/versions.test.ts',
  'test/web/flows/layout.test.ts',
  'test/web/flows/completion.test.ts',
  'test/web/reviews/decision.test.ts',
  'test/dev/stack.test.ts',
  'test/flows/flow-conformance.test.ts',
];
const folder = join(root, '.cache', 'suites');

function listSuites() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file.split(sep).join('/')}`);
}

function makeGroups(suites) {
  const long = longSuites.filter((suite) => suites.includes(suite));
  // Of the other suites, the last by name (test/worker, test/workflows) take longest, because they wait for timers. So these
  // suites come first: the order is reversed.
  const others = suites.filter((suite) => !long.includes(suite)).toReversed();
  const groups = long.map((suite) => [suite]);
  for (let start = 0; start < others.length; start += suitesPerGroup)
    groups.push(others.slice(start, start + suitesPerGroup));
  return groups;
}

/**
 * Writes test files that each run several suites. jest loads all packages again for each test file, and for most suites this takes longer
 * than the tests. `accepts`: a function that gets the path of a suite, and returns whether to include the suite. Returns the folder of the
 * test files. They must run in the order of their names.
 */
export function groupSuites(accepts) {
  const suites = listSuites();
  const unknown = longSuites.find((suite) => !suites.includes(suite));
  if (unknown) throw new Error(`There is no ${unknown}. Change the list in dev/install/group-suites.mjs.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, group] of makeGroups(suites.filter(accepts).toSorted()).entries()) {
    const lines = group.map((file) => `describe('${file}', () => void require('../../${file}'));\n`);
    writeFileSync(join(folder, `${String(index).padStart(2, '0')}.test.js`), lines.join(''));
  }
  return folder;
}
