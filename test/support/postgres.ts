import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
const password = 'only-for-tests';

export interface TestPostgres {
  /** Address of a migrated, empty database. It is the template of the others: do not write to it. */
  url: string;
  /** Makes another migrated, empty database and gives its address. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
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
export async function startPostgres(): Promise<TestPostgres> {
  const user = keepPostgresUser();
  const { initdb, postgres } = findPostgres(path.join(__dirname, '..', '..'));
  const place = mkdtempSync(path.join(tmpdir(), 'countersign-test-'));
  chmodSync(place, 0o755);
  const folder = path.join(place, 'postgres');
  await makeDatabase({ folder, initdb, password, user });
  const port = await findFreePort();
  // The files are thrown away, so nothing has to reach the disk.
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=100'];
  const server = spawn(postgres, ['-D', folder, '-p', String(port), ...settings.flatMap((one) => ['-c', one])], {
    cwd: '/',
    stdio: 'ignore',
    ...user,
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const kill = () => void server.kill('SIGQUIT');
  process.once('exit', kill);

  const address = (name: string) => `postgres://countersign:${password}@127.0.0.1:${port}/${name}`;
  await untilAnswering(server, address('postgres'));
  await ask(address('postgres'), 'create database template');
  await migrate(address('template'), createLogger('test', 'silent'));
  return {
    url: address('template'),
    async freshDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await ask(address('postgres'), `create database ${name} template template`);
      return address(name);
    },
    async stop() {
      kill();
      await ended;
      process.off('exit', kill);
      rmSync(place, { recursive: true, force: true });
    },
  };
}
