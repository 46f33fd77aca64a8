import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The full path of the first of these programs that is on PATH. */
export function findOnPath(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) =>
    folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))),
  );
  return candidates.find(isProgram);
}
