import { Client } from 'pg';
import { scopeStatement } from './tenant-pool';
import { allTenants } from './tenant-scope';

/** One connection. */
export type Session = Pick<Client, 'query'>;

/**
 * Opens a connection for a command, such as a backup, and closes it after `work`. It sees the rows of all tenants, and its statements may take
 * as long as they need: they read whole tables.
 */
export async function withSession<Result>(
  databaseUrl: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl });
  // The statement that runs reports the loss of the connection. Without this listener, the process would end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `${scopeStatement(allTenants)}; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`,
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const othersSql = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** How many other connections to this database are open. */
export async function countOtherConnections(session: Session): Promise<number> {
  return (await session.query<{ count: number }>(othersSql)).rows[0]?.count ?? 0;
}

const tablesSql = `
  select count(*)::int as count from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'v', 'S') and nspname not like 'pg\\_%' and nspname <> 'information_schema'`;

/** Whether the database has no table. */
export async function isEmptyDatabase(session: Session): Promise<boolean> {
  return (await session.query<{ count: number }>(tablesSql)).rows[0]?.count === 0;
}

/** Deletes all tables, functions and rows of the own role in this database. */
export async function emptyDatabase(session: Session): Promise<void> {
  await session.query('drop owned by current_user cascade');
}

const migrationsSql = `select name from migrations order by id`;

/** The names of the migrations that were applied, in their order. */
export async function findMigrations(session: Session): Promise<string[]> {
  return (await session.query<{ name: string }>(migrationsSql)).rows.map(({ name }) => name);
}
