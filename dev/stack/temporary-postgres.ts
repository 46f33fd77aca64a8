import { type ChildProcess, execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { postgresAddress } from './settings';
import { spawnBound } from './bound-program';
import { findFreePort } from './free-port';
import { findPostgres } from './postgres-binaries';
import { createDatabaseFolder, createRoleSql, superuser } from './postgres-data';
import { ensurePostgresUser } from './postgres-user';

/** Time for a server to start. It usually starts within a second, but a busy machine needs longer. */
const startTimeoutMs = 30_000;
const password = 'only-for-a-while';

/** A Postgres server whose files are deleted when it stops. */
export interface TemporaryPostgres {
  /** Address of one of its databases, for the role of the service. */
  address: (database: string) => string;
  /** Address of its database `postgres`, for the superuser. */
  superuserAddress: string;
  /** Runs one statement in the database `postgres`, as the superuser. */
  execute: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
  /** Stops the server and saves its files in a folder, atomically. An existing folder is not changed. */
  save: (folder: string) => Promise<void>;
}

const run = promisify(execFile);

/** Copies a folder with its owners and modes, because Postgres checks them. */
const copyFolder = (from: string, to: string) => run('cp', ['-Rp', from, to]);

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await execute(url, 'select 1');
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/**
 * Starts a Postgres server on a free port of 127.0.0.1, with a temporary folder. The server stops with this process. `settings`: settings
 * of Postgres, as `name=value`. `savedFolder`: a folder that `save` has written. The server then has the databases of this folder.
 */
export async function startTemporaryPostgres(
  repositoryRoot: string,
  settings: readonly string[],
  savedFolder?: string,
): Promise<TemporaryPostgres> {
  const user = ensurePostgresUser();
  const { initdb, postgres } = findPostgres(repositoryRoot);
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  // Only the current system user can enter a folder that mkdtemp has created. Postgres may run as another system user, who must also enter
  // it.
  chmodSync(temporaryFolder, 0o755);
  const databaseFolder = join(temporaryFolder, 'postgres');
  await (savedFolder === undefined
    ? createDatabaseFolder({ folder: databaseFolder, initdb, password, user })
    : copyFolder(savedFolder, databaseFolder));
  const port = await findFreePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const serverArgs = ['-D', databaseFolder, '-p', String(port), ...options.flatMap((one) => ['-c', one])];
  const server = spawnBound(postgres, serverArgs, { cwd: '/', endSignal: 'QUIT', ...user });
  const serverExit = new Promise((resolve) => server.once('exit', resolve));
  const address = (database: string) => postgresAddress(port, password, database);
  const superuserAddress = postgresAddress(port, password, 'postgres', superuser);
  const stop = async () => {
    // The files are deleted anyway, so a clean shutdown is not needed.
    server.kill('SIGQUIT');
    await serverExit;
    rmSync(temporaryFolder, { recursive: true, force: true });
  };
  const save = async (targetFolder: string) => {
    server.kill('SIGINT');
    await serverExit;
    const partialFolder = `${targetFolder}.${randomUUID()}`;
    try {
      if (server.exitCode !== 0) throw new Error('The server did not shut down cleanly, so its files are not saved.');
      mkdirSync(dirname(targetFolder), { recursive: true });
      await copyFolder(databaseFolder, partialFolder);
      renameSync(partialFolder, targetFolder);
    } catch (error) {
      // Another process may have saved the same folder.
      if (!existsSync(targetFolder)) throw error;
    } finally {
      rmSync(partialFolder, { recursive: true, force: true });
      await stop();
    }
  };
  try {
    await waitUntilReady(server, superuserAddress);
    if (savedFolder === undefined) await execute(superuserAddress, createRoleSql(password, 'createdb'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, superuserAddress, execute: (sql) => execute(superuserAddress, sql), stop, save };
}
