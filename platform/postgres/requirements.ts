import { ConfigurationError, type DatabaseSettings } from '../config';
import type { Logger } from '../logger';
import type { Pool } from './postgres';

// Row-level security is not active for superusers and for roles with BYPASSRLS.
const isActiveSql = `select row_security_active('transactions') as "isActive"`;

/**
 * Checks that row-level security applies to the role of DATABASE_URL. If it does not apply, logs a warning in the environment `local`, and
 * throws ConfigurationError in other environments. The schema must be up to date.
 */
export async function requireRowSecurity(pool: Pool, environment: string, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ isActive: boolean }>(isActiveSql);
  if (rows[0]?.isActive) return;
  const text =
    'DATABASE_URL: the role is a superuser or has BYPASSRLS, so Postgres does not separate tenants. See docs/connections.md#the-database-role.';
  if (environment !== 'local') throw new ConfigurationError(text);
  logger.warn(text);
}

const backendSql = 'select pg_backend_pid() as pid';

/**
 * Checks that each connection of DATABASE_URL has one session of Postgres, unless DATABASE_DIRECT_URL says that it leads to a pooler.
 * Without sessions, the tenant of one connection would apply to another. Throws ConfigurationError. A pooler that others use at the same
 * time can go unnoticed.
 */
export async function requireSessions(pool: Pool, { DATABASE_DIRECT_URL }: DatabaseSettings): Promise<void> {
  if (DATABASE_DIRECT_URL !== undefined) return;
  const pooler = new ConfigurationError(
    'DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. Set DATABASE_DIRECT_URL to the address of Postgres itself. See docs/connections.md#pgbouncer.',
  );
  try {
    const connections = [await pool.connect(), await pool.connect()] as const;
    const [first, second] = connections;
    try {
      const { rows: before } = await first.query<{ pid: number }>(backendSql);
      // A pooler gives this database transaction the connection to Postgres that the first one has just used.
      await second.query('begin');
      const { rows: after } = await first.query<{ pid: number }>(backendSql);
      await second.query('rollback');
      if (before[0]?.pid !== after[0]?.pid) throw pooler;
    } finally {
      for (const connection of connections) connection.release();
    }
  } catch (error) {
    throw /unsupported startup parameter/.test((error as Error).message) ? pooler : error;
  }
}
