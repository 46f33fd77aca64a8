import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { readAuditEntries } from '../../platform/audit';
import { findOwnersByDocument } from '../../platform/keys/data-keys.sql';
import { createLogger } from '../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../platform/postgres/postgres';
import { withoutTenant, asService, asTenant } from '../../platform/postgres/tenant-scope';
import { findSends } from '../../store/messages/sends/sent-messages.sql';
import { ConfigurationError } from '../../platform/config';
import { requireRowSecurity } from '../../platform/postgres/requirements';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { withoutTenantConditions } from '../support/without-tenant-conditions';

let postgres: TestPostgres;
let address: string;
let pool: Pool;
let tables: string[];

/** SQL for a value of each column type. `$1`, the tenant, gives each tenant a different text. */
const samples: Record<string, string> = {
  text: '$1::text',
  uuid: `md5($1)::uuid`,
  boolean: 'false',
  ARRAY: `'{}'`,
  bytea: `'\\x00'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  date: 'current_date',
  'timestamp with time zone': 'now()',
};

/** Foreign keys are not checked, so every column can have any value. */
async function addRow(superuser: Client, table: string, tenant: string): Promise<void> {
  const { rows } = await superuser.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and (is_nullable = 'NO' and column_default is null or column_name = 'document_hash')`,
    [table],
  );
  const values = rows.map(({ name, type }) => (name === 'tenant' ? '$1' : (samples[type] ?? '1')));
  await superuser.query(`insert into ${table} (${rows.map(({ name }) => name).join()}) values (${values.join()})`, [
    tenant,
  ]);
}

beforeAll(async () => {
  postgres = await startPostgres();
  address = await postgres.createDatabase();
  pool = openPool(address, createLogger('test', 'silent'), 2);
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant' order by 1`,
  );
  tables = rows.map(({ name }) => name);
  const superuser = new Client({ connectionString: postgres.superuserAddress(address) });
  await superuser.connect();
  await superuser.query(`set session_replication_role = replica`);
  for (const table of tables) for (const tenant of ['acme', 'globex', '*']) await addRow(superuser, table, tenant);
  await superuser.end();
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** The tenants of the visible rows, by table. */
async function visibleTenants(query: (sql: string) => Promise<{ rows: { tenant: string }[] }>) {
  const seen: Record<string, string[]> = {};
  for (const table of tables)
    seen[table] = (await query(`select tenant from ${table} order by tenant`)).rows.map(({ tenant }) => tenant);
  return seen;
}

/** The same visible tenants in each table. */
const inEachTable = (tenants: readonly string[]) => Object.fromEntries(tables.map((table) => [table, tenants]));
const queryPool = (sql: string) => pool.query<{ tenant: string }>(sql);
/** Every tenant can read the rows of the service (tenant `*`) in these tables. */
const readableByAll = ['audit_log', 'flow_versions', 'provider_states'];

test('a tenant sees only its own rows, and in three tables also the rows of the service', async () => {
  expect(tables.length).toBeGreaterThan(15);
  const own = await asTenant('acme', () => visibleTenants(queryPool));
  expect(own).toEqual({
    ...inEachTable(['acme']),
    ...Object.fromEntries(readableByAll.map((t) => [t, ['*', 'acme']])),
  });
  expect(await asTenant('initech', () => visibleTenants(queryPool))).toEqual({
    ...inEachTable([]),
    ...Object.fromEntries(readableByAll.map((t) => [t, ['*']])),
  });
});

test('the service sees all rows; a caller without a tenant, and a connection without the setting of a tenant, see none', async () => {
  expect(await visibleTenants(queryPool)).toEqual(inEachTable(['*', 'acme', 'globex']));
  expect(await asTenant('acme', () => asService(() => visibleTenants(queryPool)))).toEqual(
    inEachTable(['*', 'acme', 'globex']),
  );
  expect(await withoutTenant(() => visibleTenants(queryPool))).toEqual(inEachTable([]));
  const client = new Client({ connectionString: address });
  await client.connect();
  expect(await visibleTenants((sql) => client.query(sql))).toEqual(inEachTable([]));
  await client.end();
});

test('a tenant can neither change, delete nor add rows of another tenant or of the service', async () => {
  const errorCode = (sql: string) =>
    asTenant('acme', () => pool.query(sql)).then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
  for (const table of tables) {
    for (const change of [`update ${table} set tenant = tenant`, `delete from ${table}`]) {
      const changed = await asTenant('acme', () => pool.query(`${change} where tenant <> 'acme'`));
      expect([change, changed.rowCount]).toEqual([change, 0]);
    }
    for (const tenant of ['globex', '*'])
      expect([table, await errorCode(`insert into ${table} (tenant) values ('${tenant}')`)]).toEqual([table, '42501']);
    // In flow_versions, a trigger rejects the change before row-level security does.
    const given = await errorCode(`update ${table} set tenant = 'globex'`);
    expect([table, given]).toEqual([table, table === 'flow_versions' ? '23001' : '42501']);
  }
  expect(await visibleTenants(queryPool)).toEqual(inEachTable(['*', 'acme', 'globex']));
});

const documentHashOf = (tenant: string) => createHash('md5').update(tenant).digest('hex');

test.each<[string, (mutant: Pool, tenant: string) => Promise<unknown[]>]>([
  ['audit_log', (mutant, tenant) => readAuditEntries(mutant, { tenant, owner: 'globex' }, 10)],
  ['data_keys', (mutant, tenant) => findOwnersByDocument(mutant, tenant, documentHashOf('globex'), { limit: 10 })],
  ['sends', (mutant, tenant) => findSends(mutant, tenant, 'globex')],
])('a query on %s returns no rows of other tenants, even without a tenant condition', async (_, find) => {
  const foreign = (tenant: string) => asTenant(tenant, () => find(withoutTenantConditions(pool), tenant));
  expect(await foreign('globex')).toHaveLength(1);
  expect(await foreign('acme')).toEqual([]);
  // Row-level security does not restrict the service.
  expect(await asService(() => find(withoutTenantConditions(pool), 'acme'))).toHaveLength(1);
});

test('tenants that share two connections never see rows of each other', async () => {
  const read = async (tenant: string) => {
    const { rows } = await pool.query<{ tenant: string }>('select tenant from sends');
    const inside = await inTransaction(pool, async (client) => (await client.query('select tenant from images')).rows);
    return [tenant, ...rows, ...inside];
  };
  const names = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'acme' : 'globex'));
  const seen = await Promise.all(names.map((tenant) => asTenant(tenant, () => read(tenant))));
  expect(seen).toEqual(names.map((tenant) => [tenant, { tenant }, { tenant }]));
});

test('a service whose database role bypasses row-level security does not start, except in the environment local', async () => {
  const logger = createLogger('test', 'silent');
  const superuserPool = openPool(postgres.superuserAddress(address), logger, 1);
  await requireRowSecurity(pool, 'production', logger);
  await expect(requireRowSecurity(superuserPool, 'production', logger)).rejects.toThrow(ConfigurationError);
  await expect(requireRowSecurity(superuserPool, 'homologation', logger)).rejects.toThrow('#the-database-role');
  await requireRowSecurity(superuserPool, 'local', logger);
  await superuserPool.end();
});
