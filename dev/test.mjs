import { installTestPrograms } from './install/install-test-programs.mjs';
import { buildProject } from './install/build-project.mjs';
import { runCommand } from './install/command-error.mjs';
import { runChecks } from './install/run-checks.mjs';
import { isMode, runJest } from './install/run-jest.mjs';

const jestArguments = process.argv.slice(2);

await runCommand(async () => {
  const environment = await installTestPrograms();
  // Who names certain tests waits for them: the checks of the whole are not what was meant.
  const checked = isMode(jestArguments) && jestArguments[0] !== 'long';
  const checks = checked ? await runChecks() : { passed: 0, failed: 0 };
  const buildError = await buildProject().catch((error) => error);
  checks[buildError ? 'failed' : 'passed'] += 1;
  if (buildError) process.stdout.write(`${buildError.message}\n`);
  // Suites run what was built: after a build that failed they would judge the one before.
  const tests = buildError ? { passed: 0, failed: 0 } : await runJest(jestArguments, environment);
  const failed = checks.failed + tests.failed;
  process.exitCode = failed === 0 ? 0 : 1;
  process.stdout.write(`\n${checks.passed + tests.passed} passed, ${failed} failed\n`);
});
