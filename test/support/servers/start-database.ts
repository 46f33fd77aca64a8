import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startTemporaryPostgres } from '../../../dev/stack/temporary-postgres';
import { createLogger } from '../../../platform/logger';
import { migrate } from '../../../platform/postgres';
import type { TestServer } from './start-program';

// The files are temporary, so nothing must reach the disk. The pools of all concurrent suites connect to this server.
const settings = ['fsync=off', 'max_connections=300'];

const root = path.join(__dirname, '..', '..', '..');
const cache = path.join(root, '.cache');
const migrations = path.join('platform', 'migrations');

/** A name from everything that a migrated server depends on, including the owner of its files. */
function cacheName(): string {
  const files = [
    'package-lock.json',
    path.join('dev', 'stack', 'postgres-data.ts'),
    path.join('dev', 'stack', 'temporary-postgres.ts'),
    path.join('platform', 'postgres.ts'),
    ...readdirSync(path.join(root, migrations)).map((name) => path.join(migrations, name)),
  ];
  const hash = createHash('sha256').update(String(process.getuid?.()));
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  return `postgres-${hash.digest('hex').slice(0, 16)}`;
}

/**
 * The files of a server with the migrated database `template`. They are cached between runs, because creating them
 * takes 2 s.
 */
async function cachedServer(): Promise<string> {
  const name = cacheName();
  const cached = path.join(cache, name);
  if (existsSync(cached)) return cached;
  const { address, execute, save } = await startTemporaryPostgres(root, settings);
  await execute('create database template');
  await migrate(address('template'), createLogger('test', 'silent'));
  await save(cached);
  const outdated = readdirSync(cache).filter((other) => other.startsWith('postgres-') && !other.startsWith(name));
  for (const other of outdated) rmSync(path.join(cache, other), { recursive: true, force: true });
  return cached;
}

/** A Postgres server with the migrated, empty database `template`. Its address is that of its database `postgres`. */
export async function startDatabaseServer(): Promise<TestServer> {
  const { address, stop } = await startTemporaryPostgres(root, settings, await cachedServer());
  return { address: address('postgres'), stop };
}
