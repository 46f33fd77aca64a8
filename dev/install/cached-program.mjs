import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadTemporal } from './download-temporal.mjs';
import { withFileLock } from './file-lock.mjs';
import { showProgress } from './progress.mjs';
import { root } from './root.mjs';

function base() {
  if (process.env.COUNTERSIGN_CACHE_DIR) return process.env.COUNTERSIGN_CACHE_DIR;
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) return join(process.env.LOCALAPPDATA, 'countersign');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'countersign');
}

/** A folder for parts that were downloaded or built once, shared by all checkouts of this user. */
export function cacheDir(...names) {
  const folder = join(base(), ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The version of the Temporal SDK that this checkout uses; it decides what is downloaded. */
function readSdkVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies['@temporalio/client'];
}

/**
 * The path of a program of Temporal in the user's cache. One that is not there is downloaded as `artifact` for the SDK
 * version, else made: `make(folder, file)` returns whether it could. What is made has a version of its own, so a new SDK
 * does not make it again. Returns undefined when there is no way to get it.
 */
export async function findCachedProgram({ name, label, artifact, madeVersion, make }) {
  const sdkVersion = readSdkVersion();
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  const downloaded = join(cacheDir(`${name}-for-sdk-${sdkVersion}`), fileName);
  const made = join(cacheDir(`${name}-${madeVersion}`), fileName);
  const find = () => [downloaded, made].find((file) => existsSync(file));
  const get = async () => {
    const download = () => downloadTemporal(artifact, sdkVersion, downloaded);
    if (await showProgress(`Downloading ${label}`, download)) return downloaded;
    return (await make(dirname(made), made)) ? made : undefined;
  };
  return find() ?? withFileLock(join(cacheDir(), `${name}.lock`), async () => find() ?? get());
}
