import { findOnPath } from './find-on-path.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';

const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } };

/** Installs system packages where this process may (root on Debian and its kin). Answers whether they are there now. */
export async function installWithApt(label, packages) {
  const apt = findOnPath('apt-get');
  if (!apt || process.getuid?.() !== 0) return false;
  return showProgress(`Installing ${label} (apt-get)`, async () => {
    await runProgram(apt, ['update'], quiet);
    const { code } = await runProgram(apt, ['install', '-y', '--no-install-recommends', ...packages], quiet);
    return code === 0;
  });
}
