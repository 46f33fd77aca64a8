import { installPackages } from './install/install-packages.mjs';
import { installTestPrograms } from './install/programs.mjs';
import { buildClient } from './install/build-client.mjs';
import { buildProject } from './install/build-project.mjs';
import { runCommand } from './install/command.mjs';
import { runChecks } from './install/run-checks.mjs';
import { isMode, runJest } from './install/run-jest.mjs';
import { runShortFuzz } from './install/run-short-fuzz.mjs';

const jestArguments = process.argv.slice(2);
// Whether to run the checks of the whole project: without an argument, and in the modes `all` and `quick`.
const includesChecks = isMode(jestArguments) && jestArguments[0] !== 'long';
// The quick tests need no Temporal server and no browser.
const needsPrograms = jestArguments[0] !== 'quick';

/** Lines of a failure in the list at the end. Its cause is at its beginning, as in a test, or at its end, as in the table of a fuzz run. */
const shownLines = { first: 15, last: 25 };

/** Installs the packages, builds the project, and runs the checks. Returns { results, isBuilt }, with results as `runChecks` returns them. */
async function buildAndCheck() {
  await installPackages();
  // The build comes before the checks, because the checks need the generated part of the client.
  const buildResult = await buildProject()
    .then(buildClient)
    .then(
      () => ({ passed: 1, failures: [] }),
      (error) => ({ passed: 0, failures: [{ name: 'build', output: error.message }] }),
    );
  const isBuilt = buildResult.failures.length === 0;
  if (!isBuilt) process.stdout.write(`${buildResult.failures[0].output}\n`);
  return { results: includesChecks ? [buildResult, await runChecks()] : [buildResult], isBuilt };
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
  const [environment, { results, isBuilt }] = await Promise.all([
    needsPrograms ? installTestPrograms() : {},
    buildAndCheck(),
  ]);
  // The random requests use all cores, so they start after the suites that check deadlines.
  const afterTimed = async () => void results.push(await runShortFuzz());
  // After a failed build, the suites would test the previous build.
  if (isBuilt) results.push(await runJest(jestArguments, environment, afterTimed));
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const failures = results.flatMap((result) => result.failures);
  process.exitCode = failures.length === 0 ? 0 : 1;
  showFailures(failures);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
});
