import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { groupSuites } from './group-suites.mjs';
import { root } from './command.mjs';
import { runProgram } from './run-program.mjs';

/** Suites (test files) that check deadlines of the service. Most of them start whole stacks. They run one at a time. */
const timedPattern =
  'test/(acceptance/(outages|whole-stack)|faults/(faults|long)|security/long/|api/transactions/transactions-client\\.test)';
const isTimedSuite = (file) => new RegExp(timedPattern).test(file);

/** Suites that only `npm run test:long` runs. */
const longOnlyPattern = 'test/(faults|security)/long/';

/** Suites of pure modules, and some suites that need only a database. None of them needs a Temporal server or a browser. */
const quickPattern =
  'test/(bench|docs|domain/(?!flows/flow-to-dot)|worker/(?!backup/|deployment/(deployment-cli|upgrade)|erased-workflows|health|sigterm|start-webhook|stop|temporal-command)|' +
  'activities/(biometrics|scoring|webhooks)|(platform|messages)/(?!pgbouncer)[^/]+$|flows/(?!conformance|flow-conformance|examples|random-flows))';

/** Suites of `npm run test:long`. Suites that usually test a random sample of cases then test all cases. */
const longPattern = 'test/(faults/|security/long/|flows/random-flows|replay/storm|web/pages)';

/**
 * Modes of `npm test`, by its first argument. Each mode is a list of jest processes that run at the same time. With `selectSuite`, a
 * process runs the selected suites in groups. `isTimed`: these suites check deadlines.
 */
const modes = {
  all: [
    {
      arguments: ['--runInBand', `--testPathPatterns=${timedPattern}`, `--testPathIgnorePatterns=${longOnlyPattern}`],
      isTimed: true,
    },
    {
      // These are more processes than a small machine has cores, because many suites wait for timers.
      arguments: ['--maxWorkers=3'],
      selectSuite: (file) => !isTimedSuite(file),
      // These suites have no deadlines, so they leave the CPU to those that have deadlines.
      environment: { LOW_PRIORITY: '1' },
    },
  ],
  quick: [{ arguments: ['--maxWorkers=2'], selectSuite: (file) => new RegExp(quickPattern).test(file) }],
  long: [{ arguments: ['--runInBand', `--testPathPatterns=${longPattern}`], environment: { TEST_SAMPLE: 'all' } }],
};

/**
 * The failed tests of a file. If the file failed without a failed test, for example because it cannot be loaded, or because its cleanup
 * failed, it counts as one failed test.
 */
function failuresOf({ name, status: fileStatus, message, assertionResults }) {
  const failures = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, output: failureMessages.join('\n') }));
  if (failures.length > 0 || fileStatus !== 'failed') return failures;
  return [{ name: relative(root, name), output: message }];
}

/** Reads a jest report: { passed, failures }. A missing report counts as one failure. */
function readReport(file) {
  try {
    const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed, failures: testResults.flatMap(failuresOf) };
  } catch (error) {
    return { passed: 0, failures: [{ name: 'jest', output: `There is no report: ${error.message}` }] };
  }
}

/** Runs jest once. Returns its report, as `readReport`. */
async function runOnce({ arguments: jestArguments, selectSuite, environment }, runnerEnvironment) {
  const env = { ...runnerEnvironment, ...environment };
  const folder = mkdtempSync(join(tmpdir(), 'countersign-jest-'));
  const file = join(folder, 'report.json');
  try {
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const groupOptions = selectSuite
      ? [`--testMatch=${groupSuites(selectSuite)}/*.js`, `--testSequencer=${join(root, 'dev/install/sort-groups.cjs')}`]
      : [];
    // A failed test can leave a call to a server that has ended, which its client repeats for ever. So jest ends when all suites have ended.
    const options = ['--ci', '--forceExit', '--json', `--outputFile=${file}`, ...jestArguments, ...groupOptions];
    const { code } = await runProgram(process.execPath, [jest, ...options], { cwd: root, env, show: true });
    const report = readReport(file);
    if (code === 0 || report.failures.length > 0) return report;
    return { ...report, failures: [{ name: 'jest', output: `All tests passed, but jest ended with code ${code}.` }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the arguments choose a mode. No argument chooses the mode `all`. Other arguments name tests. */
export const isMode = (testArguments) =>
  testArguments.length === 0 || (testArguments.length === 1 && Object.hasOwn(modes, testArguments[0]));

/** Runs a mode or the named tests. Returns { passed, failures } of each jest process. Calls `afterTimed` when the suites that check deadlines have ended. */
export async function runJest(testArguments, env, afterTimed) {
  const includesStacks = testArguments.some((one) => /test\/(acceptance|faults|security\/long)/.test(one));
  const runs = isMode(testArguments)
    ? modes[testArguments[0] ?? 'all']
    : [{ arguments: [`--maxWorkers=${includesStacks ? 1 : 2}`, ...testArguments] }];
  const runAndReport = async (run) => {
    const report = await runOnce(run, env);
    if (run.isTimed) await afterTimed();
    return report;
  };
  return Promise.all(runs.map(runAndReport));
}
