import { TransactionKeys } from '../../../platform/keys/data-keys';
import { hashDocument } from '../../../store/transactions/observed-values';
import { buildState } from '../../support/build';
import { createWithState } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape } from '../api-world';

const document = { documentType: 'CPF', document: '11144477735' };
const transactionCount = 40;
/** The largest fields that the API accepts: 50 values of 512 characters. A character such as `€` has three bytes. */
const genericFields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, '€'.repeat(512)]));

let postgres: TestPostgres;
let world: ApiWorld;
const ids: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
  const { pool, keys } = world.dependencies;
  const transactionKeys = new TransactionKeys(pool, keys.serviceKeys);
  for (let count = 0; count < transactionCount; count += 1) {
    const { id } = await world.createTransaction({ ...document, genericFields });
    const state = { ...buildState(), tenant: 'local', id };
    await createWithState(pool, transactionKeys, state, hashDocument(keys, 'local', document));
    ids.push(id);
  }
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

interface Page {
  transactions: { id: string }[];
  next?: string;
}

const exportPage = (page: { limit: number; after?: string | undefined }) =>
  world.post('/v1/privacy/export', { body: { ...document, ...page } });

test('a page of an export ends when it is large, and its pages together have every transaction once', async () => {
  const exported: string[] = [];
  const sizes: number[] = [];
  for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    const { status, body } = await exportPage({ limit: 100, after: next });
    expect(status).toBe(200);
    const page = body as Page;
    exported.push(...page.transactions.map(({ id }) => id));
    sizes.push(Buffer.byteLength(JSON.stringify(page)));
    next = page.next;
  }
  expect([...exported].sort()).toEqual([...ids].sort());
  expect(Math.max(...sizes)).toBeLessThan(1_200_000);
  expect(sizes.length).toBeGreaterThan(2);
});

/** Holds all reads of records until `letGo`. `started`: the first read. `most`: how many reads were held at the same time. */
function holdReads() {
  const { transactions } = world.dependencies;
  const readState = transactions.readState.bind(transactions);
  const held = { most: 0, letGo: () => {}, started: Promise.resolve() };
  let noteStart = () => {};
  held.started = new Promise((resolve) => {
    noteStart = resolve;
  });
  const end = new Promise<void>((resolve) => {
    held.letGo = () => {
      transactions.readState = readState;
      resolve();
    };
  });
  let reading = 0;
  transactions.readState = async (target) => {
    noteStart();
    reading += 1;
    held.most = Math.max(held.most, reading);
    await end;
    return readState(target);
  };
  return held;
}

test('the exports of a tenant run one after the other, and another tenant does not wait for them', async () => {
  const held = holdReads();
  try {
    const exports = Array.from({ length: 3 }, () => exportPage({ limit: 1 }));
    const token = await world.issueToken('other');
    const other = await world.request('/v1/transactions', { token });
    expect(other).toMatchObject({ status: 200, body: { transactions: [] } });
    held.letGo();
    expect((await Promise.all(exports)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(held.most).toBe(1);
  } finally {
    held.letGo();
  }
});

test('a list that waits too long for another long read of its tenant gets 503 reads_busy', async () => {
  const held = holdReads();
  try {
    const first = exportPage({ limit: 1 });
    await held.started;
    const { status, body } = await world.request('/v1/transactions');
    expect([status, body]).toEqual([503, problemShape('reads_busy', 503)]);
    held.letGo();
    expect((await first).status).toBe(200);
  } finally {
    held.letGo();
  }
});
