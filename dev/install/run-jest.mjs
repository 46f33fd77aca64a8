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

/** Runs the tests and answers { passed, failed }. */
export async function runJest(extraArguments, env) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-jest-'));
  const report = join(folder, 'report.json');
  try {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const options = ['--ci', '--maxWorkers=2', '--json', `--outputFile=${report}`, ...extraArguments];
    const { code } = await runProgram(process.execPath, [jest, ...options], { cwd: root, env, show: true });
    const counts = readCounts(report);
    return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
