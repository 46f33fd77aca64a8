import { createFlowStore, registerBuiltInFlows } from '../../../api/flows/catalog/open-flow-store';
import { type FlowDefinition, FlowError } from '../../../domain/flows/definition';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { buildPauseFlow } from './flow-world';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

/** `seconds`: the length of the pause. */
const buildFlow = (name: string, version: number, seconds = version) =>
  ({ name, version, ...buildPauseFlow(seconds) }) as FlowDefinition;

test('old versions of built-in flows stay readable, and each process uses the versions in its own code', async () => {
  const [olderFlows, newerFlows] = [[buildFlow('greet', 1), buildFlow('leave', 1)], [buildFlow('greet', 2)]];
  await registerBuiltInFlows(pool, olderFlows);
  await registerBuiltInFlows(pool, newerFlows);
  const [olderStore, newerStore] = [createFlowStore(pool, olderFlows), createFlowStore(pool, newerFlows)];
  expect(await olderStore.findActive('acme', 'greet')).toEqual(buildFlow('greet', 1));
  expect(await newerStore.findActive('acme', 'greet')).toEqual(buildFlow('greet', 2));
  expect(await newerStore.findVersion('acme', 'greet', 1)).toMatchObject({
    source: 'code',
    definition: buildFlow('greet', 1),
  });
  // The newer code does not have the flow `leave`. Callers can still read this flow, but not start it.
  expect(await newerStore.findActive('acme', 'leave')).toBeUndefined();
  expect(await newerStore.findVersion('acme', 'leave', 1)).toMatchObject({ definition: buildFlow('leave', 1) });
  expect(await newerStore.list('acme', { limit: 10 })).toEqual([
    { name: 'greet', title: 'A pause', source: 'code', active: 2, newest: 2 },
    { name: 'leave', title: 'A pause', source: 'code', newest: 1 },
  ]);
});

test('processes that start at the same time register each version once', async () => {
  const flows = [buildFlow('b', 1), buildFlow('a', 3), buildFlow('c', 2)];
  const orders = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? flows : flows.toReversed()));
  await Promise.all(orders.map((order) => registerBuiltInFlows(pool, order)));
  const { rows } = await pool.query(
    'select owner, count(*)::int as count from audit_log group by owner order by owner',
  );
  expect(rows).toEqual(['a', 'b', 'c'].map((name) => ({ owner: `flow/${name}`, count: 1 })));
});

test('if the code changes a saved version of a built-in flow, the API does not start, and the error says what to do', async () => {
  await registerBuiltInFlows(pool, [buildFlow('greet', 1), buildFlow('leave', 1)]);
  const start = registerBuiltInFlows(pool, [
    buildFlow('arrive', 1),
    buildFlow('greet', 1, 5),
    buildFlow('leave', 1, 6),
  ]);
  await expect(start).rejects.toThrow(FlowError);
  await expect(start).rejects.toThrow(
    'greet: version 1 was saved with another definition. Increase its version.\nleave: version 1',
  );
  expect(await createFlowStore(pool, []).listVersions('acme', 'arrive', { limit: 1 })).toBeUndefined();
  await registerBuiltInFlows(pool, [buildFlow('greet', 2, 5), buildFlow('leave', 1)]);
});

test('a tenant continues to use its own flow when the code gets a flow of the same name', async () => {
  const { name, version, ...definition } = buildFlow('greet', 1, 60);
  const storeBefore = createFlowStore(pool, []);
  await storeBefore.put('acme', { name, ...definition }, 'client');
  await storeBefore.activate('acme', name, version, 'client');
  const builtInFlows = [buildFlow('greet', 7)];
  await registerBuiltInFlows(pool, builtInFlows);
  const store = createFlowStore(pool, builtInFlows);
  expect(await store.findActive('acme', 'greet')).toEqual(buildFlow('greet', 1, 60));
  expect(await store.list('acme', { limit: 10 })).toMatchObject([{ source: 'api', active: 1, newest: 1 }]);
  expect(await store.findVersion('acme', 'greet', 7)).toBeUndefined();
  expect(await store.put('acme', { name, ...definition, title: 'Longer' }, 'client')).toMatchObject({ version: 2 });
  expect(await store.findActive('globex', 'greet')).toEqual(buildFlow('greet', 7));
  await expect(store.put('globex', { name, ...definition }, 'client')).rejects.toMatchObject({ code: 'flow_reserved' });
});

test('a flow version can be marked as deleted once, and the database rejects every other change', async () => {
  await registerBuiltInFlows(pool, [buildFlow('greet', 1)]);
  const message = /must not change, except that it can be marked as deleted/;
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
