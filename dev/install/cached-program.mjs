import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadTemporal } from './download-temporal.mjs';
import { withFileLock } from './file-lock.mjs';
import { runWithProgress } from './progress.mjs';
import { root } from './root.mjs';

/** The folder for the cache of the user: COUNTERSIGN_CACHE_DIR, or the usual folder of the operating system. */
function findCacheRoot() {
  if (process.env.COUNTERSIGN_CACHE_DIR) return process.env.COUNTERSIGN_CACHE_DIR;
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) return join(process.env.LOCALAPPDATA, 'countersign');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'countersign');
}

/** Creates a folder in the cache of the user, for downloaded and built programs. Returns its path. */
export function makeCacheDir(...names) {
  const folder = join(findCacheRoot(), ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The version of the Temporal SDK. It decides which version of a program is downloaded. */
function readSdkVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies['@temporalio/client'];
}

/**
 * Returns the path of a Temporal program in the cache of the user. If the program is missing, downloads `artifact` for the version of the
 * SDK. If the download fails, calls `build(folder, file)`, which returns whether the build succeeded. The folder of a built program has
 * `buildVersion` in its name, so that a new version of the SDK needs no new build. Returns undefined when download and build fail.
 */
export async function installCachedProgram({ name, label, artifact, buildVersion, build }) {
  const sdkVersion = readSdkVersion();
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  const downloadedFile = join(makeCacheDir(`${name}-for-sdk-${sdkVersion}`), fileName);
  const builtFile = join(makeCacheDir(`${name}-${buildVersion}`), fileName);
  const findInstalled = () => [downloadedFile, builtFile].find((file) => existsSync(file));
  const downloadOrBuild = async () => {
    const download = () => downloadTemporal(artifact, sdkVersion, downloadedFile);
    if (await runWithProgress(`Downloading ${label}`, download)) return downloadedFile;
    return (await build(dirname(builtFile), builtFile)) ? builtFile : undefined;
  };
  return (
    findInstalled() ??
    withFileLock(join(makeCacheDir(), `${name}.lock`), async () => findInstalled() ?? downloadOrBuild())
  );
}
