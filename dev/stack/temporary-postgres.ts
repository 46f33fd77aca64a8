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
import { makeDatabase } from './postgres-data';
import { ensurePostgresUser } from './postgres-user';

/** A server answers within a second; on a busy machine it may take some more. */
const startsWithinMs = 30_000;
const password = 'only-for-a-while';

/** A Postgres server whose files go when it stops. */
export interface TemporaryPostgres {
  /** Address of one of its databases. */
  address: (database: string) => string;
  /** Runs one statement in the database `postgres`. */
  ask: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
  /** Stops it in order, and keeps its files in a folder, whole or not at all; one that is there stays as it is. */
  keep: (folder: string) => Promise<void>;
}

const run = promisify(execFile);

/** With owners and modes, which Postgres is strict about. */
const copyFolder = (from: string, to: string) => run('cp', ['-Rp', from, to]);

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function untilAnswering(server: ChildProcess, url: string): Promise<void> {
  const givesUpAt = Date.now() + startsWithinMs;
  for (;;) {
    try {
      return await ask(url, 'select 1');
    } catch (error) {
      if (server.exitCode !== null || Date.now() > givesUpAt) throw error;
      await sleep(50);
    }
  }
}

/**
 * Starts a Postgres on a free port of 127.0.0.1, in a temporary folder, with settings as `name=value`. Stops with this process.
 * `kept`: a folder in which another was kept, with whose databases it begins.
 */
export async function startTemporaryPostgres(
  root: string,
  settings: readonly string[],
  kept?: string,
): Promise<TemporaryPostgres> {
  const user = ensurePostgresUser();
  const { initdb, postgres } = findPostgres(root);
  const place = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  // The folder that mkdtemp makes is private; Postgres, which never runs as root, has to enter it.
  chmodSync(place, 0o755);
  const folder = join(place, 'postgres');
  await (kept === undefined ? makeDatabase({ folder, initdb, password, user }) : copyFolder(kept, folder));
  const port = await findFreePort();
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const server = spawn(postgres, ['-D', folder, '-p', String(port), ...all.flatMap((one) => ['-c', one])], {
    cwd: '/',
    stdio: 'ignore',
    ...user,
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // Its files are thrown away: it need not write its last pages.
  const kill = () => void server.kill('SIGQUIT');
  process.once('exit', kill);
  const address = (database: string) => postgresAddress(port, password, database);
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(place, { recursive: true, force: true });
  };
  const keep = async (to: string) => {
    server.kill('SIGINT');
    await ended;
    const partial = `${to}.${randomUUID()}`;
    try {
      if (server.exitCode !== 0) throw new Error('The server did not stop in order: its files are not kept.');
      mkdirSync(dirname(to), { recursive: true });
      await copyFolder(folder, partial);
      renameSync(partial, to);
    } catch (error) {
      // Another process may have kept the same meanwhile.
      if (!existsSync(to)) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
      await stop();
    }
  };
  try {
    await untilAnswering(server, address('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, ask: (sql) => ask(address('postgres'), sql), stop, keep };
}
