import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';
import { runNpm } from './run-program.mjs';

/** How many checks run at the same time: one per core of a small machine. */
const parallelChecks = 2;

/** The names of the npm scripts that `npm run check` runs, in the same order. */
function readChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [...scripts.check.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
}

/**
 * Runs all checks, even after a failure, and prints the output of each failed check. Returns { passed, failures }: the number of passed
 * checks, and each failed check as { name, output }.
 */
export async function runChecks() {
  const result = { passed: 0, failures: [] };
  const remaining = readChecks();
  const runRemaining = async () => {
    for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
      const { code, output } = await runNpm(['run', '-s', name], { cwd: root });
      process.stdout.write(code === 0 ? `check ${name}: passed\n` : `${output.trim()}\ncheck ${name}: FAILED\n`);
      if (code === 0) result.passed += 1;
      else result.failures.push({ name: `check ${name}`, output });
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, runRemaining));
  return result;
}
