import { join } from 'node:path';
import { runHere } from './flow/run-here.mjs';
import { installTestServer } from './install/install-test-server.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/command-error.mjs';
import { root } from './install/root.mjs';
import { runWithoutLines } from './install/run-program.mjs';

await runCommand(async () => {
  await installPackages();
  const [, , command, ...rest] = process.argv;
  // Only runs need a server; checking and drawing need none.
  if (!['simulate', 'test'].includes(command)) return runHere();
  const environment = { TEMPORAL_TEST_SERVER_PATH: await installTestServer() };
  const script = join(root, 'dev', 'flow', 'on-server.mjs');
  // The server, as Maven has it, says that it brings no logger. It inherits the error output, and takes no setting for that.
  process.exitCode = await runWithoutLines(/^SLF4J: /, process.execPath, [script, command, ...rest], environment);
});
