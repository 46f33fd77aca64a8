import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '../../dev/stack/free-port';
import { findPostgres } from '../../dev/stack/postgres-binaries';
import { makeDatabase } from '../../dev/stack/postgres-data';
import { keepPostgresUser } from '../../dev/stack/postgres-user';
import { createLogger } from '../../platform/logger';
import { migrate } from '../../platform/postgres';

/** A server answers within a second; on a busy machine it may take some more. */
const startsWithinMs = 30_000;
const password = 'only-for-the-bench';

// Durable as in production: fsync and synchronous_commit stay on.
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Less than the large graph with its indexes takes, so that it does not fit into what Postgres itself holds.
  'shared_buffers=512MB',
  // A load of a gigabyte must not be interrupted by one checkpoint after the other.
  'max_wal_size=4GB',
  // Building an index sorts a million values.
  'maintenance_work_mem=256MB',
];

export interface BenchPostgres {
  /** Makes a migrated, empty database and gives its address. */
  makeDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

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

/** Starts a Postgres server of its own on a free port, with its files in a temporary folder that goes when it stops. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const user = keepPostgresUser();
  const { initdb, postgres } = findPostgres(join(__dirname, '..', '..'));
  const place = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  // The folder that mkdtemp makes is private; Postgres, which never runs as root, has to enter it.
  chmodSync(place, 0o755);
  const folder = join(place, 'postgres');
  await makeDatabase({ folder, initdb, password, user });
  const port = await findFreePort();
  const server = spawn(postgres, ['-D', folder, '-p', String(port), ...settings.flatMap((one) => ['-c', one])], {
    cwd: '/',
    stdio: 'ignore',
    ...user,
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  // Its files are thrown away: it need not write its last pages.
  const kill = () => void server.kill('SIGQUIT');
  process.once('exit', kill);
  const address = (name: string) => `postgres://countersign:${password}@127.0.0.1:${port}/${name}`;
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    rmSync(place, { recursive: true, force: true });
  };
  try {
    await untilAnswering(server, address('postgres'));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async makeDatabase(name) {
      await ask(address('postgres'), `create database ${name}`);
      await migrate(address(name), createLogger('bench', 'silent'));
      return address(name);
    },
    stop,
  };
}
