import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installCachedProgram } from './cached-program.mjs';
import { CommandError } from './command-error.mjs';
import { runWithProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { findOnPath } from './system-programs.mjs';

/** The version of the Temporal CLI that is built with Go. Later versions have a `replace` line in go.mod, which `go install` rejects. */
const cliVersion = '1.5.1';
/**
 * The oldest accepted version of the Temporal server. Older versions lack update-with-start, the call that resumes a closed transaction.
 */
const serverVersionMin = [1, 28];

/** Whether this is a Temporal CLI with a recent enough server. */
async function isRecentTemporal(file) {
  // The program has 250 MB, so its start takes seconds on a busy machine.
  const { code, output } = await runProgram(file, ['--version'], { timeoutMs: 20_000 });
  const version = /Server (\d+)\.(\d+)/.exec(output);
  if (code !== 0 || !version) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > serverVersionMin[0] || (major === serverVersionMin[0] && minor >= serverVersionMin[1]);
}

/** Builds the Temporal CLI with Go. Returns whether this succeeded. */
async function buildWithGo(folder, file) {
  const go = findOnPath('go');
  if (!go) return false;
  const temporaryFolder = mkdtempSync(join(folder, 'go-'));
  const goModule = `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`;
  try {
    const { code } = await runWithProgress('Building the Temporal dev server with Go (once, 1 to 3 minutes)', () =>
      runProgram(go, ['install', goModule], { env: { GOBIN: temporaryFolder, CGO_ENABLED: '0' } }),
    );
    if (code !== 0) return false;
    renameSync(join(temporaryFolder, basename(file)), file);
    return true;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

/**
 * Returns the path of the `temporal` program from TEMPORAL_CLI_PATH, PATH or the cache. A missing program is downloaded or
 * built. Throws CommandError when all of these fail.
 */
export async function installTemporal() {
  const configuredPath = process.env.TEMPORAL_CLI_PATH;
  if (configuredPath) {
    if (existsSync(configuredPath)) return configuredPath;
    throw new CommandError(`TEMPORAL_CLI_PATH is ${configuredPath}, which does not exist. Correct it or unset it.`);
  }
  const systemProgram = findOnPath('temporal');
  if (systemProgram && (await isRecentTemporal(systemProgram))) return systemProgram;
  const cachedProgram = await installCachedProgram({
    name: 'temporal',
    label: 'the Temporal dev server',
    artifact: 'cli',
    buildVersion: cliVersion,
    build: buildWithGo,
  });
  if (cachedProgram) return cachedProgram;
  throw new CommandError(
    'The Temporal dev server is missing (not on PATH; download and Go build failed). Install the Temporal CLI ' +
      'or Go 1.25, or set TEMPORAL_ADDRESS to a running Temporal server.',
  );
}
