import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startTemporaryPostgres } from '../../../dev/stack/temporary-postgres';
import { createLogger } from '../../../platform/logger';
import { migrate } from '../../../platform/postgres/postgres';
import type { RunningProgram } from '../../../dev/stack/start-program';

// `fsync=off`: the data is temporary. `max_connections`: enough for the pools of all suites that run at the same time.
const settings = ['fsync=off', 'max_connections=300'];

const root = path.join(__dirname, '..', '..', '..');
const cacheFolder = path.join(root, '.cache');
const migrations = path.join('platform', 'migrations');

/** The name contains a hash of the user of this process, and of the source files that create a migrated server. */
function cacheName(): string {
  const files = [
    'package-lock.json',
    path.join('dev', 'stack', 'postgres.ts'),
    path.join('dev', 'stack', 'temporary-postgres.ts'),
    path.join('platform', 'postgres', 'postgres.ts'),
    ...readdirSync(path.join(root, migrations)).map((name) => path.join(migrations, name)),
  ];
  const hash = createHash('sha256').update(String(process.getuid?.()));
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  return `postgres-${hash.digest('hex').slice(0, 16)}`;
}

/** The folder of a Postgres server with the migrated database `template`. Test runs keep the folder, because it takes 2 s to create. */
async function prepareServerFiles(): Promise<string> {
  const name = cacheName();
  const cachedFiles = path.join(cacheFolder, name);
  if (existsSync(cachedFiles)) return cachedFiles;
  const { address, execute, save } = await startTemporaryPostgres(root, settings);
  await execute('create database template owner countersign');
  await migrate(address('template'), createLogger('test', 'silent'));
  await save(cachedFiles);
  const outdatedNames = readdirSync(cacheFolder).filter(
    (other) => other.startsWith('postgres-') && !other.startsWith(name),
  );
  for (const outdatedName of outdatedNames)
    rmSync(path.join(cacheFolder, outdatedName), { recursive: true, force: true });
  return cachedFiles;
}

/** The server has the migrated, empty database `template`. `address` leads to its database `postgres`, as the superuser. */
export async function startDatabaseServer(): Promise<RunningProgram> {
  const { superuserAddress, stop } = await startTemporaryPostgres(root, settings, await prepareServerFiles());
  return { address: superuserAddress, stop };
}
