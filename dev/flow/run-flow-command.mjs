import { join } from 'node:path';
import { requireTypescript } from '../install/require-typescript.mjs';
import { root } from '../install/root.mjs';

/** Runs the flow command in this process, with its arguments, and sets the exit code. */
export async function runFlowCommand() {
  const { runFlow } = requireTypescript(join(root, 'dev', 'flow', 'main.ts'));
  const { stdout, stderr, env } = process;
  // A program that reads the output, such as `head`, may close the pipe early. This is not an error.
  stdout.on('error', () => undefined);
  // npm runs this script in the repository root. But the user gives file arguments relative to the folder in which the user called npm.
  process.chdir(env.INIT_CWD ?? process.cwd());
  process.exitCode = await runFlow(process.argv.slice(2), { stdout, stderr, env });
}
