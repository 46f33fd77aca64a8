import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { identify, readCommandLine, sendSignal, waitForEnd } from './process-identity';
import { StackError } from './stack-error';

const run = promisify(execFile);

/** The superuser of a server. The service does not use it, because row-level security does not apply to superusers. */
export const superuser = 'postgres';

/** The role of the service. */
export const serviceRole = 'countersign';

/** SQL that creates the role of the service. `password` comes from our code, never from input, so it needs no escaping. */
export const createRoleSql = (password: string, options = ''): string =>
  `create role ${serviceRole} login ${options} password '${password}'`;

/** What Postgres needs to create its data folder. `initdb`: the path of this program. `user`: the system user who owns the folder. */
interface DatabaseFolder {
  folder: string;
  initdb: string;
  password: string;
  user: { uid: number; gid: number } | undefined;
}

/** Creates a database folder atomically. Does nothing if it exists. Throws StackError when Postgres cannot create it. */
export async function createDatabaseFolder({ folder, initdb, password, user }: DatabaseFolder): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const temporaryFolder = join(dirname(folder), `.${randomUUID()}`);
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 });
  const passwordFile = `${temporaryFolder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) for (const path of [temporaryFolder, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      initdb,
      [
        `--pgdata=${temporaryFolder}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ],
      { cwd: '/', ...user },
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporaryFolder, folder);
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    throw new StackError(`Postgres could not create its data folder ${folder}: ${reason}`);
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

/** Time to wait for the end of a leftover Postgres. */
const stopMs = 10_000;

/**
 * Prepares a folder for the next start of Postgres. If an earlier server of this folder still runs, stops this server. Removes the lock
 * file.
 */
export async function clearStaleServer(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const server = pid > 1 ? identify(pid) : undefined;
  if (server && readCommandLine(pid).includes(folder)) {
    sendSignal(pid, 'SIGINT');
    if (!(await waitForEnd(server, stopMs))) {
      sendSignal(pid, 'SIGKILL');
      await waitForEnd(server, stopMs);
    }
  }
  rmSync(file, { force: true });
}
