import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { withoutTenantConditions } from '../../support/without-tenant-conditions';
import { ApiWorld } from '../api-world';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;

beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'), 1);
  for (const tenant of ['acme', 'globex'])
    await pool.query(
      `insert into send_blocks (tenant, prefix, reason, sent, answered, ends_at)
       values ($1, $1, 'lowAnswerRate', 20, 1, now() + interval '1 hour')`,
      [tenant],
    );
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
  // Without conditions on the tenant, only row-level security separates the tenants.
  world.dependencies.pool = withoutTenantConditions(world.dependencies.pool);
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

test('requests of two tenants at once get only their own rows, even if the SQL query has no condition on the tenant', async () => {
  const tokens = new Map([
    ['acme', await world.issueToken('acme')],
    ['globex', await world.issueToken('globex')],
  ]);
  const tenants = Array.from({ length: 60 }, (_, index) => (index % 2 ? 'acme' : 'globex'));
  const prefixes = await Promise.all(
    tenants.map(async (tenant) => {
      const { body } = await world.request('/v1/blocks', { token: tokens.get(tenant) as string });
      return (body as { blocks: { prefix: string }[] }).blocks.map(({ prefix }) => prefix);
    }),
  );
  expect(prefixes).toEqual(tenants.map((tenant) => [tenant]));
});
