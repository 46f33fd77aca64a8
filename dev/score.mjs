import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './install/command.mjs';

/** Builds the project. Its output goes to stderr: stdout carries only the report. */
function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'dev', 'build.mjs')], { stdio: ['ignore', 2, 2] });
  return status === 0;
}

async function score() {
  const load = createRequire(import.meta.url);
  const { runScore } = load(join(root, 'dist', 'dev', 'score', 'main.js'));
  // A program that reads the output, such as `head`, may close the pipe early. This is not an error.
  process.stdout.on('error', () => undefined);
  // npm runs this script in the repository root. But the user gives file arguments relative to the folder in which the user called npm.
  process.chdir(process.env.INIT_CWD ?? process.cwd());
  const { stdout, stderr } = process;
  return runScore(process.argv.slice(2), { stdout, stderr });
}

process.exitCode = build() ? await score() : 1;
