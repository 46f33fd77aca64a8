import { join } from 'node:path';
import { requireTypescript } from '../install/require-typescript.mjs';
import { root } from '../install/root.mjs';

/** Runs the command that this process was given, and sets its exit code. */
export async function runHere() {
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  const { stdout, stderr, env } = process;
  // A reader that has seen enough, such as `head`, is no issue.
  stdout.on('error', () => undefined);
  // npm runs this in the folder of the checkout; files are named from where the person stands.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(process.argv.slice(2), { stdout, stderr, env });
}
