import { join } from 'node:path';
import { runFlowCommand } from './flow/run-flow-command.mjs';
import { buildProject } from './install/build-project.mjs';
import { installTestServer } from './install/install-test-server.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/command-error.mjs';
import { root } from './install/root.mjs';
import { runHidingErrorLines } from './install/run-program.mjs';

await runCommand(async () => {
  await installPackages();
  const [, , command, ...commandArguments] = process.argv;
  // `check` and `draw` need no server.
  if (!['simulate', 'test'].includes(command)) return runFlowCommand();
  // The simulation runs the workflow code of the build.
  const [testServer] = await Promise.all([installTestServer(), buildProject()]);
  const environment = { TEMPORAL_TEST_SERVER_PATH: testServer };
  const script = join(root, 'dev', 'flow', 'on-server.mjs');
  // A test server from Maven prints a warning that it has no logger. No setting turns the warning off, so its lines are hidden.
  process.exitCode = await runHidingErrorLines(
    /^SLF4J: /,
    process.execPath,
    [script, command, ...commandArguments],
    environment,
  );
});
