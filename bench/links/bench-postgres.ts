import { join } from 'node:path';
import { startTemporaryPostgres } from '../../dev/stack/temporary-postgres';
import { createLogger } from '../../platform/logger';
import { migrate } from '../../platform/postgres/postgres';

// Postgres is as durable as in production: fsync and synchronous_commit stay on.
const settings = [
  // The cache is smaller than the large graph with its indexes, so Postgres must also read pages that are not in the cache.
  'shared_buffers=512MB',
  // With this value, Postgres makes few checkpoints while a gigabyte is loaded.
  'max_wal_size=4GB',
  // The memory for sorting a million values when an index is created.
  'maintenance_work_mem=256MB',
];

/** A running Postgres server of a bench. */
export interface BenchPostgres {
  /** Creates an empty database with all migrations. Returns its address. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Postgres server for a bench. Its files are deleted when the server stops. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const { address, execute, stop } = await startTemporaryPostgres(join(__dirname, '..', '..'), settings);
  // With this right, the database role of the bench can make a checkpoint after it has loaded the data.
  await execute('grant pg_checkpoint to countersign');
  return {
    async createDatabase(name) {
      await execute(`create database ${name} owner countersign`);
      await migrate(address(name), createLogger('bench', 'silent'));
      return address(name);
    },
    stop,
  };
}
