import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runNpm } from './run-program.mjs';

/** How many checks run at the same time: one per core of a small machine. */
const parallelChecks = 2;

/** The names of the npm scripts that `npm run check` runs, in the same order. */
function readChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [...scripts.check.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
}

/** Runs all checks, even after a failure, and prints the output of each failed check. Returns { passed, failed }: two counts. */
export async function runChecks() {
  const counts = { passed: 0, failed: 0 };
  const remaining = readChecks();
  const runRemaining = async () => {
    for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
      const { code, output } = await runNpm(['run', '-s', name], { cwd: root });
      counts[code === 0 ? 'passed' : 'failed'] += 1;
      process.stdout.write(code === 0 ? `check ${name}: passed\n` : `${output.trim()}\ncheck ${name}: FAILED\n`);
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, runRemaining));
  return counts;
}
