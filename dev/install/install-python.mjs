import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, root } from './command.mjs';
import { withFileLock } from './file-lock.mjs';
import { findOnPath, makeCacheDir } from './find-program.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';

async function findPython() {
  const file = findOnPath('python3');
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  if (file && (await runProgram(file, ['-c', check])).code === 0) return file;
  throw new CommandError('Python 3.11 or newer, with venv, is missing. Install it, then run this command again.');
}

async function install(label, folder, pipArguments) {
  const python = await findPython();
  rmSync(folder, { recursive: true, force: true });
  const options = ['--quiet', '--disable-pip-version-check', '--require-hashes', ...pipArguments];
  const created = await runProgram(python, ['-m', 'venv', folder]);
  const { code, output } =
    created.code === 0
      ? await runProgram(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options])
      : created;
  if (code === 0) return writeFileSync(join(folder, 'installed'), '');
  throw new CommandError(
    `${lastLines(output, 12)}\nInstalling ${label} failed. Check the network and \`pip config list\`, then run this command again.`,
  );
}

/**
 * Installs Python packages in the cache of the user if they are missing. `requirements`: a file with exact versions and hashes, which
 * `uv pip compile --generate-hashes --universal` makes from requirements.in. Returns the folder with their programs and `python`. Throws
 * CommandError if the installation fails.
 */
async function installPackages(name, label, requirements, options = []) {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(makeCacheDir(), `${name}-${digest}`);
  // The file `installed` is written last. After an interrupted installation it is missing, so the next call installs again.
  const isInstalled = () => existsSync(join(folder, 'installed'));
  if (!isInstalled())
    await withFileLock(`${folder}.lock`, async () => {
      if (isInstalled()) return;
      const run = () => install(label, folder, [...options, '-r', requirements]);
      await runWithProgress(`Installing ${label} (pip)`, run);
    });
  return join(folder, 'bin');
}

/** Returns the path of schemathesis. Installs it if it is missing. Throws CommandError. */
export const installSchemathesis = async () =>
  join(
    await installPackages('schemathesis', 'schemathesis', join(root, 'test', 'fuzz', 'requirements.txt')),
    'schemathesis',
  );

/**
 * Returns the path of a Python with Helm as a library, and with the schemas of Kubernetes. Installs it if it is missing. The other
 * dependencies of the packages are not needed. Throws CommandError.
 */
export const installHelm = async () =>
  join(
    await installPackages('helm', 'Helm', join(root, 'test', 'deploy', 'requirements.txt'), [
      '--no-deps',
      '--no-compile',
      '--only-binary=:all:',
    ]),
    'python',
  );
