import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findCachedProgram } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { findOnPath } from './system-programs.mjs';

/** Later tags carry a `replace` line, which `go install` refuses. */
const cliVersion = '1.5.1';
/** Update-with-start, which resumes a sleeping transaction, came with this server. */
const oldestServer = [1, 28];

/** True when this program is a Temporal command with a server new enough. */
async function serves(file) {
  // Loads 250 MB from disk; on a busy machine that takes some seconds.
  const { code, output } = await runProgram(file, ['--version'], { timeoutMs: 20_000 });
  const version = /Server (\d+)\.(\d+)/.exec(output);
  if (code !== 0 || !version) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > oldestServer[0] || (major === oldestServer[0] && minor >= oldestServer[1]);
}

async function buildWithGo(folder, file) {
  const go = findOnPath('go');
  if (!go) return false;
  const partial = mkdtempSync(join(folder, 'go-'));
  const goModule = `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`;
  try {
    const { code } = await showProgress('Building the Temporal dev server with Go (once, 1 to 3 minutes)', () =>
      runProgram(go, ['install', goModule], { env: { GOBIN: partial, CGO_ENABLED: '0' } }),
    );
    if (code !== 0) return false;
    renameSync(join(partial, basename(file)), file);
    return true;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * The path of the `temporal` program: given by TEMPORAL_CLI_PATH, on PATH, in the cache, downloaded or built. Throws
 * CommandError when there is no way to get it here.
 */
export async function installTemporal() {
  const given = process.env.TEMPORAL_CLI_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new CommandError(`TEMPORAL_CLI_PATH names ${given}, which does not exist: correct it or leave it unset.`);
  }
  const onPath = findOnPath('temporal');
  if (onPath && (await serves(onPath))) return onPath;
  const found = await findCachedProgram({
    name: 'temporal',
    label: 'the Temporal dev server',
    artifact: 'cli',
    madeVersion: cliVersion,
    make: buildWithGo,
  });
  if (found) return found;
  throw new CommandError(
    'The Temporal dev server is missing (no `temporal` on PATH, no download, no Go build): install the Temporal CLI ' +
      'or Go 1.25, or set TEMPORAL_ADDRESS to a running Temporal server.',
  );
}
