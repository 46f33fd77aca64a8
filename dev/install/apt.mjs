import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachedFolder } from './cached-folder.mjs';
import { withFileLock } from './file-lock.mjs';
import { findOnPath, makeCacheDir } from './find-program.mjs';
import { runWithProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Calls `install(apt)` with the path of apt-get, if this is root on a system with apt-get. Returns its result. Two apt-get processes cannot
 * run at the same time.
 */
async function withApt(label, install) {
  const apt = findOnPath('apt-get');
  if (!apt || process.getuid() !== 0) return undefined;
  const updateAndInstall = async () => {
    await runProgram(apt, ['update']);
    return install(apt);
  };
  return withFileLock(join(makeCacheDir(), 'apt.lock'), () =>
    runWithProgress(`Installing ${label} (apt-get)`, updateAndInstall),
  );
}

/** Installs system packages with apt-get. */
export const installWithApt = (label, ...packages) =>
  withApt(label, async (apt) => {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    return (await runProgram(apt, ['install', '-y', '--no-install-recommends', ...packages], { env })).code === 0;
  });

/**
 * Puts the files of a Debian package into a folder of the cache, and returns the path of `file` in it. Unlike an installed package, it starts
 * no server of the system. Undefined if this is not possible.
 */
export async function extractWithApt(name, file) {
  const folder = await cachedFolder(name, (partial) =>
    withApt(name, async (apt) => {
      await runProgram(apt, ['download', name], { cwd: partial });
      const [archive] = readdirSync(partial);
      if (!archive) return false;
      const { code } = await runProgram('dpkg', ['-x', archive, '.'], { cwd: partial });
      rmSync(join(partial, archive));
      return code === 0;
    }).then(Boolean),
  );
  return folder && join(folder, file);
}
