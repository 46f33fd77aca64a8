import { join } from 'node:path';
import { findTestServer } from './install/find-test-server.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/missing-part.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

await runCommand(async () => {
  await installPackages();
  // Only runs need a server; checking and drawing need none.
  const runs = ['simulate', 'test'].includes(process.argv[2]);
  if (runs) process.env.TEMPORAL_TEST_SERVER_PATH = await findTestServer();
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  const { stdout, stderr, env } = process;
  // A reader that has seen enough, such as `head`, is no fault.
  stdout.on('error', () => undefined);
  // npm runs this in the folder of the checkout; files are named from where the person stands.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(process.argv.slice(2), { stdout, stderr, env });
});
