import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { CommandError, root } from './command.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runNpm } from './run-program.mjs';

/** The packages of a lock file, by path. Undefined if the file is missing or incomplete. */
function readPackages(file) {
  try {
    const { '': _, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages;
    return packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether the folder has exactly the packages of its lock file. npm lists the packages that it has installed in a second lock file.
 * Optional packages may be missing, because npm installs native packages only on their platform. The times of the files say nothing: a
 * checkout, a copy or a cached layer of an image changes them.
 */
export function packagesAreCurrent(folder) {
  const locked = readPackages(join(folder, 'package-lock.json'));
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (!locked || !installed) return false;
  const isSame = (one, other) => one.version === other?.version && one.integrity === other?.integrity;
  return (
    Object.entries(installed).every(([path, entry]) => isSame(entry, locked[path])) &&
    Object.entries(locked).every(([path, { optional, devOptional }]) => installed[path] || optional || devOptional)
  );
}

/** Installs the packages of the lock file. Does nothing if they are current. */
export async function installPackages() {
  if (packagesAreCurrent(root)) return;
  // `npm ci` first empties node_modules. If node_modules is a link, this would empty the folder of another checkout.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(
      'node_modules is a link, and has other packages than package-lock.json. Run `npm ci` in its target, or remove the link.',
    );
  }
  await withFileLock(join(root, '.cache', 'packages.lock'), async () => {
    if (packagesAreCurrent(root)) return;
    const result = await runWithProgress('Installing packages (npm ci)', () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'], { cwd: root }),
    );
    if (result.code === 0) return;
    throw new CommandError(
      `${lastLines(result.output, 12)}\nInstalling the npm packages failed. Check the network and \`npm config get registry\`, then run \`npm ci\`.`,
    );
  });
}
