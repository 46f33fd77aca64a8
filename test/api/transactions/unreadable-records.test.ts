import type { Client } from '@temporalio/client';
import { uuidV7 } from '../../../api/transactions/proposed-ids';
import { personExport } from '../../../api/privacy/export-person';
import { createTransactions } from '../../../api/transactions/transactions.client';
import { openRecords, type Records } from '../../../api/transactions/records';
import { TransactionKeys, UnknownDataError } from '../../../platform/keys/data-keys';
import { UnknownServiceKeyError } from '../../../platform/keys/service-keys';
import { BrokenSealError } from '../../../platform/keys/seal';
import { createLogger } from '../../../platform/logger';
import { eraseTransaction } from '../../../store/privacy/erase-transaction';
import { hashDocument } from '../../../store/transactions/observed-values';
import { buildState, person, testKeys } from '../../support/build';
import { LogLines } from '../../support/log-lines';
import { addKey, createWithState } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape } from '../api-world';

const target = { tenant: 'local', id: '01900000-0000-7000-8000-000000000000' };
const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

/** Transactions whose database calls all fail with `error`. `start` counts its calls. */
function openFailing(error: Error) {
  const fail = async () => {
    throw error;
  };
  const start = jest.fn(async () => ({}));
  const client = { withDeadline: (_: number, call: () => Promise<unknown>) => call(), workflow: { start } };
  const transactions = createTransactions({
    client: client as unknown as Client,
    openQueryClient: fail,
    taskQueue: 'test',
    keys: testKeys,
    records: {
      create: fail,
      findState: fail,
      findLink: fail,
      findReviews: fail,
      findVersion: fail,
      isPersonDenied: fail,
    } satisfies Records,
    erase: fail,
    reads: 'record',
    assessFirst: async (state) => state,
    logger: createLogger('test', 'silent'),
  });
  return { transactions, start };
}

const initialInput = { input: person, initialFlow: null };
/** Calls that read the database. */
const calls: [string, (world: ReturnType<typeof openFailing>) => Promise<unknown>][] = [
  ['a read', ({ transactions }) => transactions.read(target)],
  ['a read of the state', ({ transactions }) => transactions.readState(target)],
  ['a read of a link', ({ transactions }) => transactions.readLink('hash')],
  ['a read of a review', ({ transactions }) => transactions.readReview('local', 'id')],
  ['a list of reviews', ({ transactions }) => transactions.listReviews('local', { limit: 1 })],
  ['an erasure', ({ transactions }) => transactions.erase(target, 'client')],
  ['the creation of a transaction with a key', ({ transactions }) => transactions.create('local', initialInput, 'key')],
  ['a search by key', ({ transactions }) => transactions.findByIdempotencyKey('local', initialInput, 'key')],
];

test.each(calls)('%s fails with 503 during an outage, and throws any other error unchanged', async (_, call) => {
  await expect(call(openFailing(outage))).rejects.toMatchObject({ code: 'service_unavailable' });
  for (const error of [new BrokenSealError('x'), new TypeError('x'), new UnknownServiceKeyError('x')])
    await expect(call(openFailing(error))).rejects.toBe(error);
});

test('a transaction of which only Temporal knows does not exist, and is not called erased', async () => {
  const { transactions } = openFailing(new UnknownDataError({ tenant: target.tenant, owner: target.id }));
  await expect(transactions.read(target)).rejects.toMatchObject({ code: 'transaction_not_found' });
});

test.each<[string, Error, string]>([
  ['an outage', outage, 'Problem'],
  ['a broken record', new BrokenSealError('x'), 'BrokenSealError'],
])('after %s, the creation of a transaction starts no workflow', async (_, error, name) => {
  const { transactions, start } = openFailing(error);
  await expect(transactions.create('local', initialInput, 'key')).rejects.toMatchObject({ name });
  expect(start).not.toHaveBeenCalled();
});

describe('a record that cannot be decrypted', () => {
  let postgres: TestPostgres;
  let world: ApiWorld;
  let keys: TransactionKeys;
  const log = new LogLines();
  /** Transactions whose workflow cannot be ended. */
  const unerasable = new Set<string>();
  beforeAll(async () => {
    postgres = await startPostgres();
    const settings = { DATABASE_URL: await postgres.createDatabase() };
    world = await ApiWorld.open(settings, createLogger('api', 'info', log.stream));
    const { pool } = world.dependencies;
    keys = new TransactionKeys(pool, testKeys.serviceKeys);
    const erasureLog = { append: async () => undefined };
    const endWorkflow = async ({ id }: { id: string }) => {
      if (unerasable.has(id)) throw new TypeError('This workflow cannot be ended.');
      return false;
    };
    world.dependencies.transactions = createTransactions({
      client: {} as Client,
      openQueryClient: async () => ({}) as Client,
      taskQueue: 'test',
      keys: testKeys,
      records: openRecords({ pool, keys: testKeys, transactionKeys: keys, logger: world.dependencies.logger }),
      erase: (one, actor) => eraseTransaction({ pool, transactionKeys: keys, erasureLog, endWorkflow }, one, actor),
      reads: 'record',
      assessFirst: async (state) => state,
      logger: world.dependencies.logger,
    });
  });
  afterAll(async () => {
    await world.close();
    await postgres.stop();
  });

  test('if the record of a transaction cannot be decrypted, a read gets 500 and is logged, and an erasure still succeeds', async () => {
    const { pool } = world.dependencies;
    const state = { ...buildState(), tenant: 'local', id: uuidV7(), version: 1 };
    await createWithState(pool, keys, state);
    const path = `/v1/transaction/${state.id}`;
    expect((await world.request(path)).status).toBe(200);
    await pool.query('update transactions set version = version + 1 where id = $1', [state.id]);
    expect((await world.request(path)).body).toEqual(problemShape('internal_error', 500));
    expect(log.lines).toContainEqual(expect.objectContaining({ failure: 'BrokenSealError', msg: 'a request failed' }));

    const erase = () => world.request(path, { method: 'DELETE' });
    const erasure = await erase();
    expect(erasure.status).toBe(200);
    expect((await erase()).body).toEqual(erasure.body);
    expect((await world.request(path)).body).toEqual(problemShape('erased', 410));
  });

  test('an export names the transactions that nobody can open, and has all others; an erasure erases all', async () => {
    const { pool } = world.dependencies;
    const document = { documentType: 'CPF', document: '529.982.247-25' };
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const state = { ...buildState(), tenant: 'local', id: uuidV7(), version: 1 };
      await createWithState(pool, keys, state, hashDocument(testKeys, 'local', document));
      ids.push(state.id);
    }
    const [, broken] = ids;
    await pool.query('update transactions set version = version + 1 where id = $1', [broken]);
    const { status, body } = await world.post('/v1/privacy/export', { body: document });
    const exported = personExport.parse(body);
    expect([status, exported.transactions.map(({ id }) => id)]).toEqual([200, ids.filter((id) => id !== broken)]);
    expect(exported.unreadable).toEqual([broken]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ task: 'export a person', transactionId: broken, failure: 'BrokenSealError' }),
    );

    unerasable.add(String(broken));
    const first = await world.post('/v1/privacy/erasure', { body: document });
    const erased = ids.filter((id) => id !== broken).map((transactionId) => ({ transactionId }));
    expect(first.body).toMatchObject({ erased, complete: false });
    unerasable.clear();
    const second = await world.post('/v1/privacy/erasure', { body: document });
    expect(second.body).toMatchObject({ erased: [{ transactionId: broken }], complete: true });
  });

  test('if the data key of a transaction is missing, a read says so, and not that the transaction was erased', async () => {
    const { pool } = world.dependencies;
    const state = { ...buildState(), tenant: 'local', id: uuidV7(), version: 1 };
    const owner = { tenant: 'local', owner: state.id };
    await createWithState(pool, keys, state);
    // As after the restore of a backup of data_keys that is older than the other tables.
    await pool.query('delete from data_keys where owner = $1', [state.id]);
    keys.forget(owner);
    const path = `/v1/transaction/${state.id}`;
    expect((await world.request(path)).body).toEqual(problemShape('data_key_missing', 500));
    expect(log.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('data key') }));
    expect((await world.request(path, { method: 'DELETE' })).status).toBe(200);
    expect((await world.request(path)).body).toEqual(problemShape('erased', 410));
  });

  test('a transaction without a record can be erased, but an unknown transaction and a transaction of another tenant cannot', async () => {
    const id = uuidV7();
    await addKey(world.dependencies.pool, { tenant: 'local', owner: id });
    const erase = async (token?: string) =>
      (await world.request(`/v1/transaction/${id}`, { method: 'DELETE', ...(token === undefined ? {} : { token }) }))
        .status;
    expect(await erase(await world.issueToken('other'))).toBe(404);
    expect(await erase()).toBe(200);
    expect((await world.request(`/v1/transaction/${target.id}`, { method: 'DELETE' })).status).toBe(404);
  });
});
