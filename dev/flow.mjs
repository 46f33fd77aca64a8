import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTestServer } from './install/find-test-server.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/missing-part.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';
import { runWithoutLines } from './install/run-program.mjs';

/** Set in the process that runs flows; the one before it stands between it and the error output. */
const inner = 'COUNTERSIGN_FLOW_INNER';

async function runHere() {
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  const { stdout, stderr, env } = process;
  // A reader that has seen enough, such as `head`, is no fault.
  stdout.on('error', () => undefined);
  // npm runs this in the folder of the checkout; files are named from where the person stands.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(process.argv.slice(2), { stdout, stderr, env });
}

await runCommand(async () => {
  if (process.env[inner]) return runHere();
  await installPackages();
  // Only runs need a server; checking and drawing need none.
  if (!['simulate', 'test'].includes(process.argv[2])) return runHere();
  const server = await findTestServer();
  // The server, as Maven has it, says that it brings no logger. It inherits the error output, and takes no setting for that.
  const file = fileURLToPath(import.meta.url);
  const environment = { [inner]: '1', TEMPORAL_TEST_SERVER_PATH: server };
  process.exitCode = await runWithoutLines(/^SLF4J: /, process.execPath, [file, ...process.argv.slice(2)], environment);
});
