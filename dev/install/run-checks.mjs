import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { showProgress } from './progress.mjs';
import { root } from './root.mjs';
import { runNpm } from './run-program.mjs';

/** The steps of `npm run check`, in its order. */
function readChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [...scripts.check.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
}

/** Runs every check, also after one has failed, and answers { passed, failed }. What a failed check said is shown. */
export async function runChecks() {
  const counts = { passed: 0, failed: 0 };
  for (const name of readChecks()) {
    const { code, output } = await showProgress(`Check ${name}`, () => runNpm(['run', '-s', name], { cwd: root }));
    counts[code === 0 ? 'passed' : 'failed'] += 1;
    process.stdout.write(code === 0 ? `check ${name}: passed\n` : `${output.trim()}\ncheck ${name}: FAILED\n`);
  }
  return counts;
}
