import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { acquireServer } from './servers/acquire-server';

export interface TestPostgres {
  /** Creates a migrated, empty database. Returns its address for the role of the service, to which row-level security applies. */
  createDatabase(): Promise<string>;
  /** The address for the superuser, to which row-level security does not apply. */
  superuserAddress(database: string): string;
  /** Drops the created databases. */
  stop(): Promise<void>;
}

async function run(server: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates databases on the server that all suites share. A suite that stops or overloads Postgres starts its own server instead. */
export async function startPostgres(): Promise<TestPostgres> {
  const { address: server } = await acquireServer('postgres');
  const names: string[] = [];
  return {
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await run(server, [`create database ${name} owner countersign template template`]);
      names.push(name);
      return Object.assign(new URL(server), { username: 'countersign', pathname: name }).href;
    },
    superuserAddress: (database) => Object.assign(new URL(server), { pathname: new URL(database).pathname }).href,
    // If the databases stayed, they would fill the disk. `force` closes connections that failed tests left open.
    stop: () =>
      run(
        server,
        names.splice(0).map((name) => `drop database ${name} with (force)`),
      ),
  };
}
