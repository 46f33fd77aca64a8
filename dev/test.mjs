import { installPackages } from './install/install-packages.mjs';
import { installTestPrograms } from './install/install-test-programs.mjs';
import { buildClient } from './install/build-client.mjs';
import { buildProject } from './install/build-project.mjs';
import { runCommand } from './install/command-error.mjs';
import { runChecks } from './install/run-checks.mjs';
import { isMode, runJest } from './install/run-jest.mjs';
import { runShortFuzz } from './install/run-short-fuzz.mjs';

const jestArguments = process.argv.slice(2);
// Whether to run the checks of the whole project: without an argument, and in the modes `all` and `quick`.
const includesChecks = isMode(jestArguments) && jestArguments[0] !== 'long';
// The quick tests need no Temporal server and no browser.
const needsPrograms = jestArguments[0] !== 'quick';

/** Installs the packages, builds the project, and runs the checks. Returns two counts and an error: { passed, failed, buildError }. */
async function buildAndCheck() {
  await installPackages();
  // The build comes before the checks, because the checks need the generated part of the client.
  const buildError = await buildProject()
    .then(buildClient)
    .catch((error) => error);
  const checks = includesChecks ? await runChecks() : { passed: 0, failed: 0 };
  checks[buildError ? 'failed' : 'passed'] += 1;
  if (buildError) process.stdout.write(`${buildError.message}\n`);
  return { ...checks, buildError };
}

await runCommand(async () => {
  // The test programs are installed during the build. On a new machine, the installation mostly waits for downloads, so the build has the
  // CPU for itself.
  const [environment, { buildError, ...checks }] = await Promise.all([
    needsPrograms ? installTestPrograms() : {},
    buildAndCheck(),
  ]);
  const fuzz = { passed: 0, failed: 0 };
  // The random requests use all cores, so they start after the suites that check deadlines.
  const afterTimed = async () => void Object.assign(fuzz, await runShortFuzz());
  // After a failed build, the suites would test the previous build.
  const tests = buildError ? { passed: 0, failed: 0 } : await runJest(jestArguments, environment, afterTimed);
  const failed = checks.failed + tests.failed + fuzz.failed;
  process.exitCode = failed === 0 ? 0 : 1;
  process.stdout.write(`\n${checks.passed + tests.passed + fuzz.passed} passed, ${failed} failed\n`);
});
