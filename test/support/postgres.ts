import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { startThrowawayPostgres } from '../../dev/stack/throwaway-postgres';
import { createLogger } from '../../platform/logger';
import { migrate } from '../../platform/postgres';

// The files are thrown away, so nothing has to reach the disk.
const settings = ['fsync=off', 'max_connections=100'];

export interface TestPostgres {
  /** Address of a migrated, empty database. It is the template of the others: do not write to it. */
  url: string;
  /** Makes another migrated, empty database and gives its address. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Postgres server of its own on a free port, with its files in a temporary folder that goes when it stops. */
export async function startPostgres(): Promise<TestPostgres> {
  const { address, ask, stop } = await startThrowawayPostgres(path.join(__dirname, '..', '..'), settings);
  await ask('create database template');
  await migrate(address('template'), createLogger('test', 'silent'));
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
