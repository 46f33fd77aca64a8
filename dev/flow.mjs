import { join } from 'node:path';
import { buildProject } from './install/build-project.mjs';
import { root, runCommand } from './install/command.mjs';
import { installPackages } from './install/install-packages.mjs';
import { installTestServer } from './install/programs.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

await runCommand(async () => {
  await installPackages();
  const { argv, stdout, stderr, env } = process;
  const commandArguments = argv.slice(2);
  // The simulation runs the workflow code of the build on a test server. `check` and `draw` need neither.
  if (['simulate', 'test'].includes(commandArguments[0]))
    [env.TEMPORAL_TEST_SERVER_PATH] = await Promise.all([installTestServer(), buildProject()]);
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  // A program that reads the output, such as `head`, may close the pipe early. This is not an error.
  stdout.on('error', () => undefined);
  // npm runs this script in the repository root. But the user gives file arguments relative to the folder in which the user called npm.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(commandArguments, { stdout, stderr, env });
});
