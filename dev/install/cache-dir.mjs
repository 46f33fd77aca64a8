import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
