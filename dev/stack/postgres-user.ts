import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StackError } from './stack-error';

const readId = (flag: '-u' | '-g') =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

function findPostgresUser(): { uid: number; gid: number } | undefined {
  try {
    return { uid: readId('-u'), gid: readId('-g') };
  } catch {
    return undefined;
  }
}

/**
 * The system user that Postgres runs as: undefined (the user who started the stack) unless that is root, which Postgres
 * refuses; then `postgres`, made where it does not exist.
 */
export function ensurePostgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = findPostgresUser();
  if (found) return found;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  } catch {
    // The error below covers every reason why there is no such user.
  }
  const made = findPostgresUser();
  if (made) return made;
  throw new StackError(
    'Postgres does not run as root and the system user `postgres` could not be made: start as another user, or set DATABASE_URL.',
  );
}

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
