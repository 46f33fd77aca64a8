import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './install/root.mjs';

/** Builds what is missing. What that says goes to the error output: the report is alone on the standard one. */
function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'dev', 'build.mjs')], { stdio: ['ignore', 2, 2] });
  return status === 0;
}

async function score() {
  const load = createRequire(import.meta.url);
  const { runScore } = load(join(root, 'dist', 'dev', 'score', 'main.js'));
  // A reader that has seen enough, such as `head`, is no fault.
  process.stdout.on('error', () => undefined);
  // npm runs this in the folder of the checkout; files are named from where the person stands.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  const { stdout, stderr } = process;
  return runScore(process.argv.slice(2), { stdout, stderr });
}

process.exitCode = build() ? await score() : 1;
