import { join } from 'node:path';
import { startTemporaryPostgres } from '../../dev/stack/temporary-postgres';
import { createLogger } from '../../platform/logger';
import { migrate } from '../../platform/postgres';

// Durable as in production: fsync and synchronous_commit stay on.
const settings = [
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

/** Starts a Postgres server for a bench, which goes with its files when it stops. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const { address, ask, stop } = await startTemporaryPostgres(join(__dirname, '..', '..'), settings);
  return {
    async makeDatabase(name) {
      await ask(`create database ${name}`);
      await migrate(address(name), createLogger('bench', 'silent'));
      return address(name);
    },
    stop,
  };
}
