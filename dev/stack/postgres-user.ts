import { execFileSync } from 'node:child_process';
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
export function keepPostgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = findPostgresUser();
  if (found) return found;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  } catch {
    // Told below, together with every other reason why there is no such user.
  }
  const made = findPostgresUser();
  if (made) return made;
  throw new StackError(
    'Postgres does not run as root and the system user `postgres` could not be made: start as another user, or set DATABASE_URL.',
  );
}
