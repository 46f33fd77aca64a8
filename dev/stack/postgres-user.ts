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
 * The system user for Postgres; undefined means the user who started the stack. Postgres does not run as root, so root uses
 * the user `postgres`. Creates this user if needed, and throws StackError when this fails.
 */
export function ensurePostgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existingUser = findPostgresUser();
  if (existingUser) return existingUser;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  } catch {
    // If the user could not be created, the error below says so.
  }
  const createdUser = findPostgresUser();
  if (createdUser) return createdUser;
  throw new StackError(
    'Postgres does not run as root, and the system user `postgres` could not be created. Start as another user, or set DATABASE_URL.',
  );
}

/** The bit of a file mode that lets every user enter a folder. */
const executeByOthers = 0o001;

/** Whether every user of this machine may enter this folder and all its parents. A missing folder counts as open. */
export function isOpenToAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
  const parent = dirname(folder);
  if (mode !== undefined && (mode & executeByOthers) === 0) return false;
  return parent === folder || isOpenToAll(parent);
}

/**
 * Creates a public folder for the files of Postgres when root runs the stack from a private folder. If `privateFolder`
 * is in the temporary folder of the system, the public folder is there too. Throws StackError when the public folder
 * belongs to another user.
 */
export function createPublicFolder(privateFolder: string): string {
  const folder = privateFolder.startsWith(tmpdir()) ? join(tmpdir(), 'countersign-postgres') : '/var/lib/countersign';
  mkdirSync(folder, { recursive: true });
  // Programs run from here, so the folder must not belong to another user.
  if (statSync(folder).uid !== process.getuid?.())
    throw new StackError(`${folder} belongs to another user. Remove it.`);
  chmodSync(folder, 0o755);
  return folder;
}
