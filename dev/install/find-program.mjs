import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The folder for downloaded and built programs. Creates it. */
export function makeCacheDir() {
  const { COUNTERSIGN_CACHE_DIR, XDG_CACHE_HOME } = process.env;
  const folder = COUNTERSIGN_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'countersign');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Whether this process may execute a file. */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The full path of the first of these programs that is on PATH; undefined when there is none. */
export function findOnPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}
