import type { Pool } from '../../platform/postgres/postgres';

/**
 * A pool that removes the condition on the tenant from each SQL statement, as if the code had forgotten it. Throws if a statement has no
 * such condition.
 */
export function withoutTenantConditions(pool: Pool): Pool {
  const query = (sql: string, values: unknown[]) => {
    const mutant = sql.replaceAll(/\b(?:\w+\.)?tenant = (\$\d)/g, '$1::text is not null');
    if (mutant === sql) throw new Error(`This statement has no condition on the tenant: ${sql}`);
    return pool.query(mutant, values);
  };
  return Object.assign(Object.create(pool) as Pool, { query, end: () => pool.end() });
}
