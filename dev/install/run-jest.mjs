import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runProgram } from './run-program.mjs';

function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    // A file of tests that cannot even be loaded counts as one failed test.
    return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/**
 * Suites that start whole stacks, kill them, or keep clocks on several servers. They hold the service to its deadlines, which
 * two of them at once miss on a slow machine.
 */
const heavy = 'test/(acceptance|faults|flows/random-flows)';

async function runOnce(jestArguments, env) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-jest-'));
  const report = join(folder, 'report.json');
  try {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const options = ['--ci', '--json', `--outputFile=${report}`, ...jestArguments];
    const { code } = await runProgram(process.execPath, [jest, ...options], { cwd: root, env, show: true });
    const counts = readCounts(report);
    return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the tests that are named, or all, two at a time but for the heavy ones. Answers { passed, failed }. */
export async function runJest(named, env) {
  if (named.length > 0) {
    const workers = named.some((one) => new RegExp(heavy).test(one)) ? 1 : 2;
    return runOnce([`--maxWorkers=${workers}`, ...named], env);
  }
  const light = await runOnce(['--maxWorkers=2', `--testPathIgnorePatterns=${heavy}`], env);
  const alone = await runOnce(['--runInBand', `--testPathPatterns=${heavy}`], env);
  const sum = (count) => light[count] + alone[count];
  return { passed: sum('passed'), failed: sum('failed') };
}
