import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { acquireServer } from './servers/borrow-server';

export interface TestPostgres {
  /** Makes a migrated, empty database and gives its address. */
  freshDatabase(): Promise<string>;
  /** Drops the databases that were made. */
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

/** Databases on the server that all suites share. A suite that stops its server, or wears it out, starts one of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  const { address: server } = await acquireServer('postgres');
  const names: string[] = [];
  return {
    async freshDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await run(server, [`create database ${name} template template`]);
      names.push(name);
      return server.replace(/[^/]*$/, name);
    },
    // Its files would pile up until the end of the run. Connections that a failed test left open go with it.
    stop: () =>
      run(
        server,
        names.splice(0).map((name) => `drop database ${name} with (force)`),
      ),
  };
}
