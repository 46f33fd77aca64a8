import { join } from 'node:path';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/missing-part.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

await runCommand(async () => {
  await installPackages();
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  const { stdout, stderr, env } = process;
  // A reader that has seen enough, such as `head`, is no fault.
  stdout.on('error', () => undefined);
  // npm runs this in the folder of the checkout; files are named from where the person stands.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(process.argv.slice(2), { stdout, stderr, env });
});
