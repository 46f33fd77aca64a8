import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { type DataOwner, TransactionKeys } from '../../../platform/keys/data-keys';
import { hashDocument } from '../../../store/transactions/observed-values';
import { buildState } from '../../support/build';
import { LogLines } from '../../support/log-lines';
import { createWithState } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

const document = { documentType: 'CPF', document: '11144477735' };
let postgres: TestPostgres;
let world: ApiWorld;
let log: LogLines;
/** The transactions whose images were removed from the image store, in order. */
let removed: string[];
let removeObjects: (owner: DataOwner) => Promise<void>;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  log = new LogLines();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() }, pino(log.stream));
  removed = [];
  removeObjects = async ({ owner }) => void removed.push(owner);
  world.dependencies.images.removeObjects = (owner) => removeObjects(owner);
});
afterEach(() => world.close());
afterAll(() => postgres.stop());

/** Adds a transaction with `document`. Returns its id. */
async function addTransaction(): Promise<string> {
  const { pool, keys } = world.dependencies;
  const state = { ...buildState(), tenant: 'local', id: randomUUID() };
  await createWithState(
    pool,
    new TransactionKeys(pool, keys.serviceKeys),
    state,
    hashDocument(keys, 'local', document),
  );
  return state.id;
}

const erasePerson = () => world.post('/v1/privacy/erasure', { body: document });

test('after an erasure, the image files of the transaction are removed from the image store', async () => {
  const { id, path } = await world.createTransaction();
  expect((await world.request(path, { method: 'DELETE' })).status).toBe(200);
  expect(removed).toEqual([id]);
});

test('a failure of the image store is logged, and the data of the person is still erased', async () => {
  const ids = [await addTransaction(), await addTransaction()];
  removeObjects = async () => Promise.reject(new Error('This text may be personal.'));
  const { status, body } = await erasePerson();
  const { erased, complete } = body as { erased: { transactionId: string }[]; complete: boolean };
  expect([status, complete]).toEqual([200, true]);
  expect(new Set(erased.map(({ transactionId }) => transactionId))).toEqual(new Set(ids));
  expect(log.lines.filter(({ level }) => level === 40)).toMatchObject([
    { failure: 'Error', msg: 'the store did not remove erased images; the retention tries again' },
  ]);
});

test('the answer to an erasure does not wait for an image store that never answers', async () => {
  await addTransaction();
  removeObjects = () => new Promise(() => undefined);
  const startedAt = Date.now();
  expect(await erasePerson()).toMatchObject({ status: 200, body: { complete: true } });
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

test('if the erasure of many transactions is slow, the answer comes after some seconds, and has `complete: false`', async () => {
  for (let count = 0; count < 9; count += 1) await addTransaction();
  world.transactions.eraseData = async ({ id }) => {
    await pause(2_000);
    return { transactionId: id, erasedAt: new Date().toISOString() };
  };
  const { body } = await erasePerson();
  expect(body).toMatchObject({ erased: [{}, {}, {}], complete: false });
  expect(removed).toHaveLength(3);
});
