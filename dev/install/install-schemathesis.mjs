import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCacheDir } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { withFileLock } from './file-lock.mjs';
import { runWithProgress } from './progress.mjs';
import { root } from './root.mjs';
import { lastLines, runProgram } from './run-program.mjs';
import { findOnPath } from './system-programs.mjs';

/**
 * The file with the exact versions of the Python packages, and their hashes. `uv pip compile --generate-hashes --universal` makes this file
 * from requirements.in.
 */
const requirements = join(root, 'test', 'fuzz', 'requirements.txt');
const isWindows = process.platform === 'win32';
const programIn = (folder) =>
  join(folder, isWindows ? 'Scripts' : 'bin', isWindows ? 'schemathesis.exe' : 'schemathesis');

async function findPython() {
  for (const name of ['python3', 'python']) {
    const file = findOnPath(name);
    const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
    if (file && (await runProgram(file, ['-c', check])).code === 0) return file;
  }
  throw new CommandError('Python 3.11 or newer, with venv, is missing. Install it, then run this command again.');
}

async function install(folder) {
  const python = await findPython();
  rmSync(folder, { recursive: true, force: true });
  const steps = [
    [python, ['-m', 'venv', folder]],
    [
      join(programIn(folder), '..', isWindows ? 'python.exe' : 'python'),
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '-r', requirements],
    ],
  ];
  for (const [file, args] of steps) {
    const { code, output } = await runProgram(file, args);
    if (code !== 0)
      throw new CommandError(
        `${lastLines(output, 12)}\nInstalling schemathesis failed. Check the network and \`pip config list\`, then run this command again.`,
      );
  }
}

/** Installs schemathesis in the cache of the user if it is missing. Returns its path. Throws CommandError if the installation fails. */
export async function installSchemathesis() {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(makeCacheDir(), `schemathesis-${digest}`);
  // The file `installed` is written last. After an interrupted installation it is missing, so the next call installs again.
  const isInstalled = () => existsSync(join(folder, 'installed'));
  if (!isInstalled())
    await withFileLock(join(makeCacheDir(), 'schemathesis.lock'), async () => {
      if (isInstalled()) return;
      await runWithProgress('Installing schemathesis (pip)', () => install(folder));
      writeFileSync(join(folder, 'installed'), '');
    });
  return programIn(folder);
}
