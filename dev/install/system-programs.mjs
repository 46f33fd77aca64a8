import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeCacheDir } from './cached-program.mjs';
import { withFileLock } from './file-lock.mjs';
import { runWithProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The full path of the first of these programs that is on PATH; undefined when there is none. */
export function findOnPath(...names) {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) =>
    folders.flatMap((folder) => extensions.map((ending) => join(folder, name + ending))),
  );
  return candidates.find(isProgram);
}

const aptOptions = { env: { DEBIAN_FRONTEND: 'noninteractive' } };

/** Installs system packages with apt-get as root. Returns whether it succeeded. */
export async function installWithApt(label, packages) {
  const apt = findOnPath('apt-get');
  if (!apt || process.getuid?.() !== 0) return false;
  return runWithProgress(`Installing ${label} (apt-get)`, () =>
    // Two apt-get processes cannot run at the same time.
    withFileLock(join(makeCacheDir(), 'apt.lock'), async () => {
      await runProgram(apt, ['update'], aptOptions);
      const { code } = await runProgram(apt, ['install', '-y', '--no-install-recommends', ...packages], aptOptions);
      return code === 0;
    }),
  );
}
