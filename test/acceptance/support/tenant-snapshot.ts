import type { Pool } from 'pg';

/** Tables with rows of tenants, except `clients`, and the counts of providers, which workers save in the background. */
const tablesSql = `
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'tenant' and table_name not in ('clients', 'provider_counts', 'provider_states')
  order by 1`;

/** Creates a function that returns one hash for each table, over all rows of the tenant. */
export async function createTenantSnapshot(
  pool: Pool,
  tenant: string,
): Promise<() => Promise<Record<string, string | null>>> {
  const { rows: tables } = await pool.query<{ name: string }>(tablesSql);
  const sql = tables
    .map(
      ({ name }) =>
        `select '${name}' as name, md5(string_agg(t::text, e'\\n' order by t::text)) as hash from ${name} t where tenant = $1`,
    )
    .join(' union all ');
  return async () => {
    const { rows } = await pool.query<{ name: string; hash: string | null }>(sql, [tenant]);
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  };
}
