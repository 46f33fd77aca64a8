import { ConfigurationError } from './config';
import type { Logger } from './logger';
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
    'DATABASE_URL: the role is a superuser or has BYPASSRLS, so Postgres does not separate tenants. See docs/operators.md#the-database-role.';
  if (environment !== 'local') throw new ConfigurationError(text);
  logger.warn(text);
}
