import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { postgresAddress } from './settings';
import { findFreePort } from './free-port';
import { findPostgres } from './postgres-binaries';
import { createDatabase } from './postgres-data';
import { ensurePostgresUser } from './postgres-user';

/** A server starts within a second, longer on a busy machine. */
const startTimeoutMs = 30_000;
const password = 'only-for-a-while';

/** A Postgres server whose files are deleted when it stops. */
export interface TemporaryPostgres {
  /** Address of one of its databases. */
  address: (database: string) => string;
  /** Runs one statement in the database `postgres`. */
  execute: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
  /** Stops the server and saves its files in a folder, atomically. An existing folder is not changed. */
  save: (folder: string) => Promise<void>;
}

const run = promisify(execFile);

/** Keeps owners and modes, which Postgres checks. */
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
 * Starts a Postgres on a free port of 127.0.0.1 in a temporary folder. It stops with this process. `settings`: as `name=value`.
 * `saved`: a folder from `save`, whose databases it starts with.
 */
export async function startTemporaryPostgres(
  root: string,
  settings: readonly string[],
  saved?: string,
): Promise<TemporaryPostgres> {
  const user = ensurePostgresUser();
  const { initdb, postgres } = findPostgres(root);
  const place = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  // The folder of mkdtemp is private, but the user of Postgres has to enter it.
  chmodSync(place, 0o755);
  const folder = join(place, 'postgres');
  await (saved === undefined ? createDatabase({ folder, initdb, password, user }) : copyFolder(saved, folder));
  const port = await findFreePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const server = spawn(postgres, ['-D', folder, '-p', String(port), ...options.flatMap((one) => ['-c', one])], {
    cwd: '/',
    stdio: 'ignore',
    ...user,
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // The files are deleted anyway, so a clean shutdown is not needed.
  const kill = () => void server.kill('SIGQUIT');
  process.once('exit', kill);
  const address = (database: string) => postgresAddress(port, password, database);
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(place, { recursive: true, force: true });
  };
  const save = async (to: string) => {
    server.kill('SIGINT');
    await ended;
    const partial = `${to}.${randomUUID()}`;
    try {
      if (server.exitCode !== 0) throw new Error('The server did not shut down cleanly, so its files are not saved.');
      mkdirSync(dirname(to), { recursive: true });
      await copyFolder(folder, partial);
      renameSync(partial, to);
    } catch (error) {
      // Another process may have saved the same folder.
      if (!existsSync(to)) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
      await stop();
    }
  };
  try {
    await waitUntilReady(server, address('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, execute: (sql) => execute(address('postgres'), sql), stop, save };
}
