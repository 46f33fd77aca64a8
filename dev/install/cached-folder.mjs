import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command.mjs';
import { withFileLock } from './file-lock.mjs';
import { findOnPath, makeCacheDir } from './find-program.mjs';
import { lastLines, runProgram } from './run-program.mjs';

/**
 * Returns the path of a folder in the cache. If the folder is missing, `fill(partial)` fills a new folder, which then gets its place: an
 * interrupted installation leaves nothing behind. `name` has the version of the content. Returns undefined if `fill` returns false.
 */
export async function cachedFolder(name, fill) {
  const folder = join(makeCacheDir(), name);
  const make = async () => {
    if (existsSync(folder)) return folder;
    const partial = mkdtempSync(`${folder}-`);
    try {
      if ((await fill(partial)) === false) return undefined;
      renameSync(partial, folder);
      return folder;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  };
  return existsSync(folder) ? folder : withFileLock(`${folder}.lock`, make);
}

/** Runs `go` without cgo, so that programs need no C compiler. `binFolder`: where `go install` puts programs. Returns the output. Throws CommandError. */
export async function runGo(args, binFolder = '') {
  const go = findOnPath('go');
  if (!go) throw new CommandError('Go is missing. Install Go 1.25 or newer, then run this command again.');
  const { code, output } = await runProgram(go, args, { env: { GOBIN: binFolder, CGO_ENABLED: '0' } });
  if (code === 0) return output;
  throw new CommandError(`${lastLines(output, 12)}\n\`go ${args.join(' ')}\` failed. Check the network and GOPROXY.`);
}
