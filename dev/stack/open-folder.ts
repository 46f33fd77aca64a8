import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StackError } from './stack-error';

const enterableByAll = 0o001;

/** True when every user of this machine may enter this folder (or, while it is not there, the ones above it). */
export function isOpenToAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
  const above = dirname(folder);
  if (mode !== undefined && (mode & enterableByAll) === 0) return false;
  return above === folder || isOpenToAll(above);
}

/**
 * A folder for what Postgres needs when root runs the stack from a private folder: Postgres never runs as root. What
 * belongs to a temporary folder is temporary too.
 */
export function openFolder(owner: string): string {
  const folder = owner.startsWith(tmpdir()) ? join(tmpdir(), 'countersign-postgres') : '/var/lib/countersign';
  mkdirSync(folder, { recursive: true });
  // Programs are run from here: it must not be a folder that somebody else laid out beforehand.
  if (statSync(folder).uid !== process.getuid?.())
    throw new StackError(`${folder} belongs to another user: remove it.`);
  chmodSync(folder, 0o755);
  return folder;
}
