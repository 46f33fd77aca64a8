import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from './install/build-client.mjs';
import { buildProject } from './install/build-project.mjs';
import { root, runCommand } from './install/command.mjs';
import { installDeployTools } from './install/install-deploy-tools.mjs';
import { installPackages } from './install/install-packages.mjs';
import { installTestPrograms } from './install/programs.mjs';
import { isMode, runJest } from './install/run-jest.mjs';
import { runNpm, runProgram } from './install/run-program.mjs';

const jestArguments = process.argv.slice(2);
// Whether to run the checks of the whole project: without an argument, and in the modes `all` and `quick`.
const includesChecks = isMode(jestArguments) && jestArguments[0] !== 'long';
// The quick tests need no Temporal server and no browser.
const needsPrograms = jestArguments[0] !== 'quick';

/** How many checks run at the same time: one per core of a small machine. */
const parallelChecks = 2;
/** The random requests take about 40 seconds. `npm run fuzz` sends 200,000. */
const fuzzArguments = [join(root, 'dev', 'fuzz.mjs'), '--requests', '3000'];
/** Enough to install schemathesis over a slow network, and to send the requests on a busy machine. */
const fuzzTimeoutMs = 600_000;
/** Lines of a failure in the list at the end. Its cause is at its beginning, as in a test, or at its end, as in the table of a fuzz run. */
const shownLines = { first: 15, last: 25 };

/** Of each part of the run: { passed, failures }, the number of passed checks or tests, and each failure as { name, output }. */
const results = [];

/** Adds the result of a program, and prints its output if it failed, or with `showsOutput`. */
function addResult(name, { code, output }, showsOutput = false) {
  const shown = showsOutput || code !== 0 ? `${output.trim()}\n` : '';
  process.stdout.write(`${shown}${name}: ${code === 0 ? 'passed' : 'FAILED'}\n`);
  results.push(code === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [{ name, output }] });
}

/** Runs all checks of `npm run check`, even after a failure. */
async function runChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const remaining = [...scripts.check.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  const runRemaining = async () => {
    for (let name = remaining.shift(); name !== undefined; name = remaining.shift())
      addResult(`check ${name}`, await runNpm(['run', '-s', name], { cwd: root }));
  };
  await Promise.all(Array.from({ length: parallelChecks }, runRemaining));
}

/** Installs the packages, builds the project, and runs the checks, which need the built client. Returns whether the build succeeded. */
async function buildAndCheck() {
  await installPackages();
  const error = await buildProject()
    .then(buildClient)
    .catch((reason) => reason);
  addResult('build', { code: error ? 1 : 0, output: error?.message ?? '' });
  if (includesChecks) await runChecks();
  return !error;
}

/** Prints the failures once more as a list, because thousands of lines can follow a failure. */
function showFailures(failures) {
  if (failures.length > 0) process.stdout.write('\nFailures\n');
  for (const { name, output } of failures) {
    const lines = output.trim().split('\n');
    const hidden = lines.length - shownLines.first - shownLines.last;
    if (hidden > 0) lines.splice(shownLines.first, hidden, `… (${hidden} more lines above)`);
    process.stdout.write(`\n✕ ${name}\n${lines.map((line) => `    ${line}\n`).join('')}`);
  }
}

await runCommand(async () => {
  // The test programs are installed during the build. On a new machine, the installation mostly waits for downloads, so the build has the
  // CPU for itself.
  const [programs, tools, isBuilt] = await Promise.all([
    needsPrograms ? installTestPrograms() : {},
    needsPrograms ? installDeployTools() : {},
    buildAndCheck(),
  ]);
  const environment = { ...programs, ...tools };
  // The random requests use all cores, so they start after the suites that check deadlines.
  const runFuzz = async () =>
    addResult('fuzz', await runProgram(process.execPath, fuzzArguments, { cwd: root, timeoutMs: fuzzTimeoutMs }), true);
  // After a failed build, the suites would test the previous build.
  if (isBuilt) results.push(...(await runJest(jestArguments, environment, runFuzz)));
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const failures = results.flatMap((result) => result.failures);
  process.exitCode = failures.length === 0 ? 0 : 1;
  showFailures(failures);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
});
