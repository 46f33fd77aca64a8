import { newState, type TransactionState } from '../../../domain/transactions/state';
import type { TransactionInput } from '../../../domain/transactions/input';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { saveObservations } from '../../../store/transactions/observations.sql';
import { circleOfTenant, observationOf } from '../../../store/transactions/observed-values';
import { saveState } from '../../../store/transactions/transactions.sql';
import { openRecords } from '../../../api/transactions/records';
import { TransactionKeys } from '../../../platform/keys/data-keys';
import { ApiWorld } from '../api-world';
import { addMs, buildState, person } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { testTransactionKeys } from '../../support/test-data-converter';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
afterEach(async () => {
  await world.close();
  await pool.end();
});
afterAll(() => postgres.stop());

const start = '2026-03-01T12:00:00.000Z';

/** Saves a transaction with its observation. `seconds`: how many seconds after `start` it was created. */
async function add(
  seconds: number,
  {
    input = {},
    tenant = 'local',
    ...changes
  }: Partial<Omit<TransactionState, 'input'>> & { input?: Partial<TransactionInput> } = {},
): Promise<string> {
  const state = { ...buildState(input, addMs(start, seconds * 1_000)), tenant, version: 1, ...changes };
  await saveState(pool, testTransactionKeys, state, state.version - 1);
  await saveObservations(pool, [observationOf(world.dependencies.keys, state, circleOfTenant(tenant))]);
  return state.id;
}

interface List {
  transactions: { id: string; status: string }[];
  next?: string;
}

async function list(query = '', token?: string): Promise<List> {
  const { status, body } = await world.request(`/v1/transactions${query}`, token === undefined ? {} : { token });
  expect(status).toBe(200);
  return body as List;
}

const idsOf = ({ transactions }: List) => transactions.map(({ id }) => id);

const search = async (body: object): Promise<List> => (await world.post('/v1/search', { body })).body as List;

test('a search finds a transaction as soon as it is created, before its assessment', async () => {
  const { keys } = world.dependencies;
  const transactionKeys = new TransactionKeys(pool, keys.serviceKeys);
  const records = openRecords({ pool, keys, transactionKeys, logger: createLogger('test', 'silent') });
  const { tenant, id, input, createdAt } = buildState({ genericFields: { reference: 'order-7' } });
  await records.create(newState({ tenant, id, input, createdAt }));
  expect(idsOf(await search({ by: 'phone', phone: person.phone }))).toEqual([id]);
  expect(idsOf(await list('?reference=order-7'))).toEqual([id]);
});

test('transactions are listed newest first, in pages, for their tenant only', async () => {
  const ids: string[] = [];
  for (const seconds of [1, 2, 2, 2, 3]) ids.unshift(await add(seconds));
  const foreign = await add(9, { tenant: 'other' });
  const pages: string[][] = [];
  for (let after = ''; pages.length < 5; ) {
    const page = await list(`?limit=2${after}`);
    pages.push(idsOf(page));
    if (page.next === undefined) break;
    after = `&after=${page.next}`;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(new Set(pages.flat())).toEqual(new Set(ids));
  expect([pages[0]?.[0], pages[2]?.[0]]).toEqual([ids[0], ids[4]]);
  expect(idsOf(await list('', await world.issueToken('other')))).toEqual([foreign]);
  expect((await list('?limit=1')).transactions[0]).toEqual({
    id: ids[0],
    status: 'Open',
    createdAt: addMs(start, 3_000),
    changedAt: addMs(start, 3_000),
  });
});

test('transactions can be filtered by status, time, flow, reference and identifier', async () => {
  const denied = await add(1, { facts: { deniedAt: start } });
  const confirmed = await add(2, {
    facts: { phoneConfirmedAt: start },
    input: { identifierId: 'phone-17', genericFields: { reference: 'order-17' } },
  });
  const run = {
    id: 'run-1',
    flow: 'sign-up',
    version: 1,
    status: 'Completed',
    startedAt: start,
    path: [{ step: 'end', enteredAt: start }],
    outcome: 'ok',
  };
  const withRun = await add(3, { runs: [run as never] });
  expect(idsOf(await list('?status=Denied'))).toEqual([denied]);
  expect(idsOf(await list('?status=Confirmed&identifierId=phone-17'))).toEqual([confirmed]);
  expect(idsOf(await list('?identifierId=order-17'))).toEqual([]);
  expect(idsOf(await list('?status=Confirmed&reference=order-17&identifierId=phone-17'))).toEqual([confirmed]);
  expect(idsOf(await list('?reference=order-17&identifierId=phone-18'))).toEqual([]);
  expect(idsOf(await list('?reference=phone-17'))).toEqual([]);
  expect(idsOf(await list('?flow=sign-up&outcome=ok'))).toEqual([withRun]);
  expect(idsOf(await list('?flow=sign-up&outcome=no'))).toEqual([]);
  const between = `?createdFrom=${addMs(start, 1_000)}&createdBefore=${addMs(start, 3_000)}`;
  expect(idsOf(await list(between))).toEqual([confirmed, denied]);
});

test('transactions are found by phone, mailbox and document, also in other spellings, and the audit log has each search', async () => {
  const found = await add(1, { input: { email: 'Maria.Silva@gmail.com' } });
  await add(2, {
    input: {
      document: '11144477735',
      email: 'other@example.com',
      phone: { countryCode: 55, areaCode: 11, number: 911112222 },
    },
  });
  await add(3, { tenant: 'other' });
  expect(idsOf(await search({ by: 'phone', phone: person.phone }))).toEqual([found]);
  expect(idsOf(await search({ by: 'email', email: 'mariasilva+x@googlemail.com' }))).toEqual([found]);
  expect(idsOf(await search({ by: 'document', documentType: 'cpf', document: '529.982.247-25' }))).toEqual([found]);
  expect(idsOf(await search({ by: 'email', email: 'nobody@example.com' }))).toEqual([]);
  const { rows } = await pool.query(
    "select actor, detail from audit_log where action = 'transactions_searched' order by id",
  );
  expect(rows).toEqual(
    [
      ['phone', 1],
      ['email', 1],
      ['document', 1],
      ['email', 0],
    ].map(([by, count]) => ({ actor: 'client-of-local', detail: { by, found: count } })),
  );
});

test('a search needs its own scope', async () => {
  const token = await world.issueToken('local', ['transaction:read']);
  const response = await world.post('/v1/search', {
    token,
    body: { by: 'email', email: 'a@example.com' },
  });
  expect(response.body).toMatchObject({ code: 'insufficient_scope' });
});

test.each([
  'createdFrom=5617-11-02T15:05:42.83%2B23:50',
  'createdBefore=9999-12-31T23:59:59-23:59',
  'createdFrom=0000-01-01T00:00:00Z',
])('the time %s is accepted', async (query) => expect((await list(`?${query}`)).transactions).toBeInstanceOf(Array));

test.each(['status=open', 'createdFrom=yesterday', 'flow=', 'flow=%00', 'limit=101', 'after=x', 'name=Maria'])(
  'the query %s is rejected',
  async (query) => {
    const { status, body } = await world.request(`/v1/transactions?${query}`);
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [query.split('=')[0]]]);
  },
);

test('all mistakes of a query are reported', async () => {
  const { status, body } = await world.request(
    '/v1/transactions?limit=101&after=x&status=open&createdFrom=yesterday&name=Maria&flow=a&flow=b',
  );
  expect([status, body]).toMatchObject([400, { code: 'validation_failed' }]);
  const { errors } = body as { errors: object };
  expect(Object.keys(errors).toSorted()).toEqual(['after', 'createdFrom', 'flow', 'limit', 'name', 'status']);
});
