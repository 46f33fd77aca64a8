import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installCachedProgram } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { findOnPath } from './system-programs.mjs';

/** Later tags have a `replace` line, which `go install` rejects. */
const cliVersion = '1.5.1';
/** Needed for update-with-start, which resumes a sleeping transaction. */
const oldestServer = [1, 28];

/** Whether this is a Temporal CLI with a recent enough server. */
async function isRecentTemporal(file) {
  // Loads 250 MB from disk, which takes seconds on a busy machine.
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
 * The path of the `temporal` program: from TEMPORAL_CLI_PATH, PATH or the cache, else downloaded or built. Throws
 * CommandError when all of these fail.
 */
export async function installTemporal() {
  const given = process.env.TEMPORAL_CLI_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new CommandError(`TEMPORAL_CLI_PATH is ${given}, which does not exist. Correct it or unset it.`);
  }
  const onPath = findOnPath('temporal');
  if (onPath && (await isRecentTemporal(onPath))) return onPath;
  const found = await installCachedProgram({
    name: 'temporal',
    label: 'the Temporal dev server',
    artifact: 'cli',
    buildVersion: cliVersion,
    build: buildWithGo,
  });
  if (found) return found;
  throw new CommandError(
    'The Temporal dev server is missing (not on PATH; download and Go build failed). Install the Temporal CLI ' +
      'or Go 1.25, or set TEMPORAL_ADDRESS to a running Temporal server.',
  );
}
