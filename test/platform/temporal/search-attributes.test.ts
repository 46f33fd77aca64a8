import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { ConfigurationError } from '../../../platform/config';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool, postgresTimeouts } from '../../../platform/postgres/postgres';
import { retryUntilReachable } from '../../../platform/startup';
import { MissingNamespaceError } from '../../../platform/temporal/failures';
import { ensureSearchAttributes, registerSearchAttributes } from '../../../platform/temporal/search-attributes';
import { searchAttributes } from '../../../workflows/contract/start';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { openDevServer } from '../../support/servers/open-environment';

const keys = Object.values(searchAttributes);
const names = keys.map(({ name }) => name);
const serverOf = (namespace: string) => ({ TEMPORAL_ADDRESS: '10.1.2.3:7233', TEMPORAL_NAMESPACE: namespace });
/** The type Keyword in the API of Temporal. */
const keyword = 2;

/**
 * A namespace of Temporal with these search attributes (fields by which operators find workflows). `add` gives the response to each request
 * to add search attributes. `listsNewAfterMs`: how long after it was added a search attribute is listed.
 */
function createNamespace(
  initial: readonly string[],
  { add = async () => ({}), listsNewAfterMs = 0 }: { add?: () => Promise<object>; listsNewAfterMs?: number } = {},
) {
  const added: string[] = [];
  const existing = [...initial];
  const operatorService = {
    listSearchAttributes: async () => ({
      customAttributes: Object.fromEntries(existing.map((name) => [name, keyword])),
    }),
    addSearchAttributes: async ({ searchAttributes: newAttributes }: { searchAttributes: Record<string, number> }) => {
      added.push(...Object.keys(newAttributes));
      if (listsNewAfterMs === 0) existing.push(...Object.keys(newAttributes));
      else setTimeout(() => existing.push(...Object.keys(newAttributes)), listsNewAfterMs);
      return add();
    },
  };
  return { connection: { operatorService } as unknown as Connection, added };
}

/** gRPC codes: 6 "already exists", 7 "permission denied", 14 "unavailable". */
const rejectWith = (code: number) => () => Promise.reject(Object.assign(new Error('refused'), { code }));

it('no search attribute is added if all exist', async () => {
  const { connection, added } = createNamespace(names, { add: rejectWith(7) });
  await ensureSearchAttributes(connection, serverOf('default'), keys);
  expect(added).toEqual([]);
});

it('only the missing search attributes are added', async () => {
  const { connection, added } = createNamespace(names.slice(2));
  await ensureSearchAttributes(connection, serverOf('default'), keys);
  expect(added).toEqual(names.slice(0, 2));
});

it('no error occurs if another process has added a search attribute in the meantime', async () => {
  const { connection, added } = createNamespace(names.slice(2), { add: rejectWith(6) });
  await ensureSearchAttributes(connection, serverOf('default'), keys);
  expect(added).toEqual(names.slice(0, 2));
});

it('without permission, the error says how to create the missing search attributes by hand', async () => {
  const { connection } = createNamespace(names.slice(2), { add: rejectWith(7) });
  const error: unknown = await ensureSearchAttributes(connection, serverOf('acme.a1b2'), keys).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toBe(
    'Temporal does not allow this process to add search attributes to the namespace acme.a1b2. ' +
      'Create these of type Keyword, then start again: CountersignTenant, CountersignStatus.\n' +
      '  npm run temporal -- prepare   (with an account that may change the namespace)\n' +
      '  temporal operator search-attribute create --address 10.1.2.3:7233 --namespace acme.a1b2 --name CountersignTenant --type Keyword --name CountersignStatus --type Keyword\n' +
      '  Temporal Cloud: tcld namespace search-attributes add --namespace acme.a1b2 --search-attribute "CountersignTenant=Keyword" --search-attribute "CountersignStatus=Keyword"',
  );
});

it('any other error of a request to add search attributes is thrown, so that the call is retried', async () => {
  const { connection } = createNamespace([], { add: rejectWith(14) });
  await expect(ensureSearchAttributes(connection, serverOf('default'), keys)).rejects.toMatchObject({ code: 14 });
});

describe('with a Temporal server', () => {
  const poolCount = 5;
  let server: TestPostgres;
  let pools: Pool[];
  let env: TestWorkflowEnvironment;
  const connections: Connection[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    pools = Array.from({ length: poolCount }, () => openPool(url, createLogger('test', 'silent'), 1));
    env = await openDevServer('temporal');
    for (let opened = 0; opened < poolCount; opened += 1)
      connections.push(await Connection.connect({ address: env.address }));
  });
  afterAll(async () => {
    await Promise.all([...pools.map((pool) => pool.end()), ...connections.map((connection) => connection.close())]);
    await server.stop();
    await env.teardown();
  });

  it('five processes that start at the same time give each search attribute one column', async () => {
    for (let round = 0; round < 5; round += 1) {
      const namespace = `race-${randomUUID()}`;
      await env.connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs('3 days'),
      });
      // Each process connects at its own time, and waits until its Temporal server knows the namespace.
      const register = async (pool: Pool, index: number) => {
        const connection = connections[index] ?? env.connection;
        await retryUntilReachable('Temporal', createLogger('test', 'silent'), () =>
          registerSearchAttributes(pool, connection, serverOf(namespace), keys),
        );
      };
      await Promise.all(pools.map(register));
      const { config } = await env.connection.workflowService.describeNamespace({ namespace });
      expect(Object.values(config?.customSearchAttributeAliases ?? {}).toSorted()).toEqual(names.toSorted());
    }
  });

  it('the lock outlasts the timeout of idle transactions: while one process waits for a slow cluster, no other process adds', async () => {
    const idleMs = 200;
    const { idleInTransactionMs } = postgresTimeouts;
    postgresTimeouts.idleInTransactionMs = idleMs;
    const url = await server.createDatabase();
    const impatientPools = [1, 2].map(() => openPool(url, createLogger('test', 'silent'), 1));
    postgresTimeouts.idleInTransactionMs = idleInTransactionMs;
    // The cluster lists new search attributes much later than it adds them.
    const { connection, added } = createNamespace([], { listsNewAfterMs: 10 * idleMs });
    const results = await Promise.allSettled(
      impatientPools.map((pool) => registerSearchAttributes(pool, connection, serverOf('default'), keys)),
    );
    await Promise.all(impatientPools.map((pool) => pool.end()));
    expect(added).toEqual(names);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  it('a missing namespace is reported as missing, with the command that creates it', async () => {
    const [pool] = pools;
    if (!pool) throw new Error('There is no pool.');
    const error: unknown = await registerSearchAttributes(pool, env.connection, serverOf('nobody'), keys).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(MissingNamespaceError);
    expect(String(error)).toContain(
      'temporal operator namespace create --address 10.1.2.3:7233 --namespace nobody --retention 72h',
    );
  });
});
