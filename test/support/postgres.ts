import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startThrowawayPostgres } from '../../dev/stack/throwaway-postgres';
import { createLogger } from '../../platform/logger';
import { migrate } from '../../platform/postgres';

// The files are thrown away, so nothing has to reach the disk.
const settings = ['fsync=off', 'max_connections=100'];

const root = path.join(__dirname, '..', '..');
const cache = path.join(root, '.cache');
const migrations = path.join('platform', 'migrations');

/** By all that a server with a migrated database depends on, the owner of its files included: a change of it makes another. */
function nameOfKept(): string {
  const files = [
    'package-lock.json',
    path.join('dev', 'stack', 'postgres-data.ts'),
    path.join('dev', 'stack', 'throwaway-postgres.ts'),
    path.join('platform', 'postgres.ts'),
    ...readdirSync(path.join(root, migrations)).map((name) => path.join(migrations, name)),
  ];
  const hash = createHash('sha256').update(String(process.getuid?.()));
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  return `postgres-${hash.digest('hex').slice(0, 16)}`;
}

/** The files of a server with the migrated database `template`: made once for all suites, which takes each 2 s otherwise. */
async function keptServer(): Promise<string> {
  const name = nameOfKept();
  const kept = path.join(cache, name);
  if (existsSync(kept)) return kept;
  const { address, ask, keep } = await startThrowawayPostgres(root, settings);
  await ask('create database template');
  await migrate(address('template'), createLogger('test', 'silent'));
  await keep(kept);
  const outdated = readdirSync(cache).filter((other) => other.startsWith('postgres-') && !other.startsWith(name));
  for (const other of outdated) rmSync(path.join(cache, other), { recursive: true, force: true });
  return kept;
}

export interface TestPostgres {
  /** Address of a migrated, empty database. It is the template of the others: do not write to it. */
  url: string;
  /** Makes another migrated, empty database and gives its address. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Postgres server of its own on a free port, with its files in a temporary folder that goes when it stops. */
export async function startPostgres(): Promise<TestPostgres> {
  const { address, ask, stop } = await startThrowawayPostgres(root, settings, await keptServer());
  return {
    url: address('template'),
    async freshDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await ask(`create database ${name} template template`);
      return address(name);
    },
    stop,
  };
}
