import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { CommandError } from './command-error.mjs';
import { runWithProgress } from './progress.mjs';
import { root } from './root.mjs';
import { lastLines, runNpm } from './run-program.mjs';

function packagesAreCurrent() {
  const installedLockFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLockFile)) return false;
  return statSync(installedLockFile).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Installs the packages of the lock file. Does nothing if they are current. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  // `npm ci` first empties node_modules. If node_modules is a link, this would empty the folder of another checkout.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(
      'node_modules is a link and older than package-lock.json. Run `npm ci` in its target, or remove the link.',
    );
  }
  await withFileLock(join(root, '.cache', 'packages.lock'), async () => {
    if (packagesAreCurrent()) return;
    const result = await runWithProgress('Installing packages (npm ci)', () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'], { cwd: root }),
    );
    if (result.code === 0) return;
    throw new CommandError(
      `${lastLines(result.output, 12)}\nInstalling the npm packages failed. Check the network and \`npm config get registry\`, then run \`npm ci\`.`,
    );
  });
}
