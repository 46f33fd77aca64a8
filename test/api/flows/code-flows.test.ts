import { createFlowStore } from '../../../api/flows/store/create-flow-store';
import { registerCodeFlows } from '../../../api/flows/store/register-code-flows';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { FlowError } from '../../../domain/flows/flow-error';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { pauseOf } from './flow-world';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'));
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const flow = (name: string, version: number, seconds = version) =>
  ({ name, version, ...pauseOf(seconds) }) as FlowDefinition;

test('old versions of code flows stay readable, and each process uses its own version', async () => {
  const [older, newer] = [[flow('greet', 1), flow('leave', 1)], [flow('greet', 2)]];
  await registerCodeFlows(pool, older);
  await registerCodeFlows(pool, newer);
  const [before, after] = [createFlowStore(pool, older), createFlowStore(pool, newer)];
  expect(await before.active('acme', 'greet')).toEqual(flow('greet', 1));
  expect(await after.active('acme', 'greet')).toEqual(flow('greet', 2));
  expect(await after.version('acme', 'greet', 1)).toMatchObject({ source: 'code', definition: flow('greet', 1) });
  // The code no longer has it: it can be read, but no run can start with it.
  expect(await after.active('acme', 'leave')).toBeUndefined();
  expect(await after.version('acme', 'leave', 1)).toMatchObject({ definition: flow('leave', 1) });
  expect(await after.list('acme', { limit: 10 })).toEqual([
    { name: 'greet', title: 'A pause', source: 'code', active: 2, newest: 2 },
    { name: 'leave', title: 'A pause', source: 'code', newest: 1 },
  ]);
});

test('processes that start at the same time register each version once', async () => {
  const flows = [flow('b', 1), flow('a', 3), flow('c', 2)];
  const orders = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? flows : flows.toReversed()));
  await Promise.all(orders.map((order) => registerCodeFlows(pool, order)));
  const { rows } = await pool.query(
    'select owner, count(*)::int as count from audit_log group by owner order by owner',
  );
  expect(rows).toEqual(['a', 'b', 'c'].map((name) => ({ owner: `flow/${name}`, count: 1 })));
});

test('a changed version stops the start, with the fix', async () => {
  await registerCodeFlows(pool, [flow('greet', 1), flow('leave', 1)]);
  const start = registerCodeFlows(pool, [flow('arrive', 1), flow('greet', 1, 5), flow('leave', 1, 6)]);
  await expect(start).rejects.toThrow(FlowError);
  await expect(start).rejects.toThrow(
    'greet: version 1 has changed since an earlier start. Raise its version.\nleave: version 1',
  );
  expect(await createFlowStore(pool, []).versions('acme', 'arrive', { limit: 1 })).toBeUndefined();
  await registerCodeFlows(pool, [flow('greet', 2, 5), flow('leave', 1)]);
});

test('the flow of a tenant stays its own when the code gets one of the same name', async () => {
  const { name, version, ...rest } = flow('greet', 1, 60);
  const before = createFlowStore(pool, []);
  await before.put('acme', { name, ...rest }, 'client');
  await before.activate('acme', name, version, 'client');
  const code = [flow('greet', 7)];
  await registerCodeFlows(pool, code);
  const store = createFlowStore(pool, code);
  expect(await store.active('acme', 'greet')).toEqual(flow('greet', 1, 60));
  expect(await store.list('acme', { limit: 10 })).toMatchObject([{ source: 'api', active: 1, newest: 1 }]);
  expect(await store.version('acme', 'greet', 7)).toBeUndefined();
  expect(await store.put('acme', { name, ...rest, title: 'Longer' }, 'client')).toMatchObject({ version: 2 });
  expect(await store.active('globex', 'greet')).toEqual(flow('greet', 7));
  await expect(store.put('globex', { name, ...rest }, 'client')).rejects.toMatchObject({ code: 'flow_reserved' });
});

test('the database rejects every change of a version', async () => {
  await registerCodeFlows(pool, [flow('greet', 1)]);
  const message = /can be marked as deleted, and never change/;
  for (const change of [
    "update flow_versions set definition = '{}'",
    "update flow_versions set digest = 'x', deleted_at = now()",
    'update flow_versions set version = 2',
    'update flow_versions set created_by = deleted_by',
    'delete from flow_versions',
  ])
    await expect(pool.query(change)).rejects.toThrow(message);
  await pool.query('update flow_versions set deleted_at = now()');
  await expect(pool.query('update flow_versions set deleted_at = null')).rejects.toThrow(message);
});
