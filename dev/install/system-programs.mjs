import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir } from './cached-program.mjs';
import { withFileLock } from './file-lock.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The full path of the first of these programs on PATH. */
export function findOnPath(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) =>
    folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))),
  );
  return candidates.find(isProgram);
}

const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } };

/** Installs system packages with apt-get as root. Returns whether it succeeded. */
export async function installWithApt(label, packages) {
  const apt = findOnPath('apt-get');
  if (!apt || process.getuid?.() !== 0) return false;
  return showProgress(`Installing ${label} (apt-get)`, () =>
    // Two apt-get processes cannot run at the same time.
    withFileLock(join(cacheDir(), 'apt.lock'), async () => {
      await runProgram(apt, ['update'], quiet);
      const { code } = await runProgram(apt, ['install', '-y', '--no-install-recommends', ...packages], quiet);
      return code === 0;
    }),
  );
}
