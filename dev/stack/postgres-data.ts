import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { identify, readCommandLine, signal, waitForEnd } from './process-identity';
import { StackError } from './stack-error';

const run = promisify(execFile);

interface DatabaseFolder {
  folder: string;
  initdb: string;
  password: string;
  user: { uid: number; gid: number } | undefined;
}

/** Creates a database folder atomically: an interrupted start leaves no partial one. */
export async function createDatabase({ folder, initdb, password, user }: DatabaseFolder): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const partial = join(dirname(folder), `.${randomUUID()}`);
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const passwordFile = `${partial}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) for (const path of [partial, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      initdb,
      // prettier-ignore
      [
        `--pgdata=${partial}`,
        '--username=countersign',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ],
      { cwd: '/', ...user },
    );
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

/** Time for a Postgres that was left running to stop. */
const stopMs = 10_000;

/** Removes the lock of a server that has ended, or stops one that was left running, so that the next one can start. */
export async function clearStaleServer(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const owner = pid > 1 ? identify(pid) : undefined;
  if (owner && readCommandLine(pid).includes(folder)) {
    signal(pid, 'SIGINT');
    if (!(await waitForEnd(owner, stopMs))) {
      signal(pid, 'SIGKILL');
      await waitForEnd(owner, stopMs);
    }
  }
  rmSync(file, { force: true });
}
