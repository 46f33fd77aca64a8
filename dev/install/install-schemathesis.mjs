import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, root } from './command.mjs';
import { withFileLock } from './file-lock.mjs';
import { findOnPath, makeCacheDir } from './programs.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';

/**
 * The file with the exact versions of the Python packages, and their hashes. `uv pip compile --generate-hashes --universal` makes this file
 * from requirements.in.
 */
const requirements = join(root, 'test', 'fuzz', 'requirements.txt');

async function findPython() {
  const file = findOnPath('python3');
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  if (file && (await runProgram(file, ['-c', check])).code === 0) return file;
  throw new CommandError('Python 3.11 or newer, with venv, is missing. Install it, then run this command again.');
}

async function install(folder) {
  const python = await findPython();
  rmSync(folder, { recursive: true, force: true });
  const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', '-r', requirements];
  const created = await runProgram(python, ['-m', 'venv', folder]);
  const { code, output } =
    created.code === 0
      ? await runProgram(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options])
      : created;
  if (code === 0) return writeFileSync(join(folder, 'installed'), '');
  throw new CommandError(
    `${lastLines(output, 12)}\nInstalling schemathesis failed. Check the network and \`pip config list\`, then run this command again.`,
  );
}

/** Installs schemathesis in the cache of the user if it is missing. Returns its path. Throws CommandError if the installation fails. */
export async function installSchemathesis() {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(makeCacheDir(), `schemathesis-${digest}`);
  // The file `installed` is written last. After an interrupted installation it is missing, so the next call installs again.
  const isInstalled = () => existsSync(join(folder, 'installed'));
  if (!isInstalled())
    await withFileLock(`${folder}.lock`, async () => {
      if (!isInstalled()) await runWithProgress('Installing schemathesis (pip)', () => install(folder));
    });
  return join(folder, 'bin', 'schemathesis');
}
