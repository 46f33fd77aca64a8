import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { CommandError } from './command-error.mjs';
import { showProgress } from './progress.mjs';
import { root } from './root.mjs';
import { lastLines, runNpm } from './run-program.mjs';

function packagesAreCurrent() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Makes node_modules fit the lock file; does nothing when it already does. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  // `npm ci` empties the folder first; through a link it would empty another checkout's.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CommandError(
      'node_modules is a link and older than package-lock.json: run `npm ci` where it points to, or remove the link.',
    );
  }
  await withFileLock(join(root, '.cache', 'packages.lock'), async () => {
    if (packagesAreCurrent()) return;
    const result = await showProgress('Installing packages (npm ci)', () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'], { cwd: root }),
    );
    if (result.code === 0) return;
    throw new CommandError(
      `${lastLines(result.output, 12)}\nThe npm packages could not be installed: check the network or \`npm config get registry\`, then run \`npm ci\`.`,
    );
  });
}
