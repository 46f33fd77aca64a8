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

/** A cache folder of the user for downloaded and built programs. */
export function cacheDir(...names) {
  const folder = join(base(), ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The version of the Temporal SDK, which decides what is downloaded. */
function readSdkVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies['@temporalio/client'];
}

/**
 * The path of a Temporal program in the user's cache. If it is missing, it is downloaded as `artifact` for the SDK version,
 * else built: `build(folder, file)` returns whether it succeeded. The build has its own version, so a new SDK does not repeat
 * it. Returns undefined when both fail.
 */
export async function installCachedProgram({ name, label, artifact, buildVersion, build }) {
  const sdkVersion = readSdkVersion();
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  const downloaded = join(cacheDir(`${name}-for-sdk-${sdkVersion}`), fileName);
  const built = join(cacheDir(`${name}-${buildVersion}`), fileName);
  const find = () => [downloaded, built].find((file) => existsSync(file));
  const get = async () => {
    const download = () => downloadTemporal(artifact, sdkVersion, downloaded);
    if (await showProgress(`Downloading ${label}`, download)) return downloaded;
    return (await build(dirname(built), built)) ? built : undefined;
  };
  return find() ?? withFileLock(join(cacheDir(), `${name}.lock`), async () => find() ?? get());
}
