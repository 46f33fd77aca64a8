import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { openRecords } from '../../../api/transactions/records';
import { createTransactionCreator } from '../../../api/transactions/transactions.client';
import type { ListName } from '../../../domain/lists/list-entries';
import type { TransactionInput } from '../../../domain/transactions/input';
import { TransactionKeys } from '../../../platform/keys/data-keys';
import { createLogger } from '../../../platform/logger';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { addListEntry } from '../../../store/lists/list-entries.sql';
import { describeListed, type ListedData } from '../../../store/lists/listed-values';
import { person, testKeys } from '../../support/build';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});
beforeEach(async () => {
  await pool.query('delete from list_entries');
});

const logger = createLogger('test', 'silent');

/** Creates a transaction as the API does. Returns its id, or the code of the problem. */
async function create(input: Partial<TransactionInput> = {}, { tenant = 'own', key = '' } = {}): Promise<string> {
  const transactionKeys = new TransactionKeys(pool, testKeys.serviceKeys);
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { start: async () => ({}) },
  } as unknown as Client;
  const records = openRecords({ pool, keys: testKeys, transactionKeys, logger });
  const creator = createTransactionCreator({
    ...{ client, taskQueue: 'test', keys: testKeys, records, logger },
    assessFirst: async (state) => state,
  });
  return creator.create(tenant, { input: { ...person, ...input }, initialFlow: null }, key || randomUUID()).then(
    ({ transaction }) => String(transaction['id']),
    ({ code }: { code: string }) => code,
  );
}

const add = (list: ListName, data: ListedData) =>
  inTransaction(pool, (client) =>
    addListEntry(client, 'own', {
      ...describeListed(testKeys, 'own', data),
      ...{ list, reason: 'test', addedBy: 'tests', expiresAt: null },
    }),
  );

const uuid = /^[\da-f-]{36}$/;

test.each<[string, ListedData, Partial<TransactionInput>, Partial<TransactionInput>]>([
  [
    'a document, in any spelling',
    { kind: 'document', documentType: 'c.p.f', document: '529.982.247-25' },
    {},
    { document: '11144477735' },
  ],
  ['an IPv4 address', { kind: 'ip', ip: '203.0.113.7' }, { endUserIp: '203.0.113.7' }, { endUserIp: '203.0.113.8' }],
  [
    'the network of the customer of an IPv6 address',
    { kind: 'ip', ip: '2001:db8:1:2::1' },
    { endUserIp: '2001:db8:1:2:aaaa::9' },
    { endUserIp: '2001:db8:1:3::1' },
  ],
  [
    'a network',
    { kind: 'network', network: '203.0.112.0/22' },
    { endUserIp: '203.0.113.7' },
    { endUserIp: '203.0.116.1' },
  ],
  ['an IPv6 network', { kind: 'network', network: '2001:db8::/32' }, { endUserIp: '2001:db8::1' }, {}],
])('%s that is denied creates no transaction', async (_, data, denied, other) => {
  await add('deny', data);
  const before = (await pool.query('select from data_keys')).rowCount;
  expect(await create(denied)).toBe('person_denied');
  expect((await pool.query('select from data_keys')).rowCount).toBe(before);
  expect(await create(other)).toMatch(uuid);
  expect(await create(denied, { tenant: 'other' })).toMatch(uuid);
});

test('an allowed address is an exception from a denied network, and a denied document decides before both', async () => {
  await add('deny', { kind: 'network', network: '203.0.113.0/24' });
  await add('allow', { kind: 'ip', ip: '203.0.113.7' });
  expect(await create({ endUserIp: '203.0.113.7' })).toMatch(uuid);
  expect(await create({ endUserIp: '203.0.113.8' })).toBe('person_denied');
  const document = { documentType: 'CPF', document: '52998224725' };
  await add('deny', { kind: 'document', ...document });
  expect(await create({ endUserIp: '203.0.113.7' })).toBe('person_denied');
});

test('the repeat of a request whose transaction exists returns it, even if the person was denied meanwhile', async () => {
  const key = randomUUID();
  const id = await create({}, { key });
  await add('deny', { kind: 'document', documentType: 'CPF', document: '52998224725' });
  expect(await create({}, { key })).toBe(id);
  expect(await create({}, { key: randomUUID() })).toBe('person_denied');
});

test('no column of the database has the IP address of a transaction or of an entry in clear', async () => {
  await add('deny', { kind: 'ip', ip: '198.51.100.77' });
  await create({ endUserIp: '198.51.100.78' });
  for (const table of ['transactions', 'data_keys', 'observations', 'list_entries', 'transaction_events']) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${table} as t`);
    expect(rows.map(({ text }) => text).join('\n')).not.toContain('198.51.100');
  }
});
