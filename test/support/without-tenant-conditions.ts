import type { Pool } from '../../platform/postgres';

/** A pool whose statements have lost their condition on the tenant, as by a mistake. Throws if a statement had none. */
export function withoutTenantConditions(pool: Pool): Pool {
  const query = (sql: string, values: unknown[]) => {
    const mutant = sql.replaceAll(/\b(?:\w+\.)?tenant = (\$\d)/g, '$1::text is not null');
    if (mutant === sql) throw new Error(`This statement has no condition on the tenant: ${sql}`);
    return pool.query(mutant, values);
  };
  return Object.assign(Object.create(pool) as Pool, { query, end: () => pool.end() });
}
