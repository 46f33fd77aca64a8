import { randomUUID } from 'node:crypto';
import type { ListName } from '../../../domain/lists/list-entries';
import { hashDestination } from '../../../messages/codes';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { addListEntry, deleteExpiredListEntries } from '../../../store/lists/list-entries.sql';
import { describeListed, type ListedData } from '../../../store/lists/listed-values';
import { listBlocks } from '../../../store/messages/send-blocks.sql';
import { type NewSend, reserveSend } from '../../../store/messages/sends/reserve-send.sql';
import { findSend } from '../../../store/messages/sends/send-states.sql';
import { testKeys } from '../../support/build';
import { useTestPool } from '../../support/test-pool';
import { waitUntil } from '../../support/wait-until';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});
beforeEach(async () => {
  await pool.query(
    'delete from list_entries; delete from sends; delete from send_blocks; delete from daily_sends; delete from data_keys',
  );
});

const phone = { countryCode: 55, areaCode: 11, number: 987654321 };
const email = 'maria@mail.example.com';
const document = { documentType: 'CPF', document: '52998224725' };
const values = {
  phone: { kind: 'phone', phone },
  longPrefix: { kind: 'prefix', prefix: '5511987' },
  shortPrefix: { kind: 'prefix', prefix: '5511' },
  country: { kind: 'country', country: '55' },
  mailbox: { kind: 'mailbox', email },
  subdomain: { kind: 'domain', domain: 'mail.example.com' },
  domain: { kind: 'domain', domain: 'example.com' },
  document: { kind: 'document', ...document },
} as const satisfies Record<string, ListedData>;

type Value = keyof typeof values;

/** Adds an entry. `secondsLeft`: until it expires. */
const add = (
  list: ListName,
  value: Value,
  { tenant = 'own', secondsLeft }: { tenant?: string; secondsLeft?: number } = {},
) =>
  inTransaction(pool, (client) =>
    addListEntry(client, tenant, {
      ...describeListed(testKeys, tenant, values[value]),
      ...{ list, reason: 'test', addedBy: 'tests' },
      expiresAt: secondsLeft === undefined ? null : new Date(Date.now() + secondsLeft * 1_000),
    }),
  );

const base = {
  ...{ tenant: 'own', transactionId: 'tx-1', confirmationOrLinkId: 'c-1', settingsName: 'sms-token', kind: 'token' },
  expiresAt: '2099-01-01T00:00:00.000Z',
};
const sms = (): NewSend => ({
  ...{ ...base, sendId: randomUUID(), channel: 'sms' },
  ...{ destination: hashDestination(testKeys, '+5511987654321'), prefix: '+551198765' },
});
const mail = (): NewSend => ({
  ...{ ...base, sendId: randomUUID(), channel: 'email', destination: hashDestination(testKeys, email) },
  domains: ['mail.example.com', 'example.com'],
});
const limits = {
  destination: { perTenant: 100, total: 1_000, guaranteed: 2, windowMs: 60_000 },
  daily: [{ name: 'messagesPerDay', key: '', amount: 1, max: 100 }],
  lowAnswerRate: { messages: 20, rate: 0.1, blockHours: 12 },
} as const;

const reserve = (send: NewSend) => reserveSend(pool, send, limits, 'twilio');

/** Gives the transaction of the messages a data key, which has the hash of the document. */
const saveDocument = async () =>
  pool.query(
    `insert into data_keys (tenant, owner, purpose, key_id, wrapped, document_hash) values ('own', 'tx-1', 'transaction', 'k', '', $1)`,
    [describeListed(testKeys, 'own', values.document).value],
  );

describe('the most specific entry decides', () => {
  test.each<[denied: Value[], allowed: Value[], create: () => NewSend, kind: string | undefined]>([
    [['phone'], [], sms, 'phone'],
    [['longPrefix'], [], sms, 'prefix'],
    [['country'], [], sms, 'country'],
    [['mailbox'], [], mail, 'mailbox'],
    [['subdomain'], [], mail, 'domain'],
    [['domain'], [], mail, 'domain'],
    [['phone'], ['shortPrefix', 'country'], sms, 'phone'],
    [['longPrefix'], ['shortPrefix'], sms, 'prefix'],
    [['shortPrefix'], ['longPrefix'], sms, undefined],
    [['country', 'shortPrefix'], ['phone'], sms, undefined],
    [['country'], ['shortPrefix'], sms, undefined],
    [['domain'], ['mailbox'], mail, undefined],
    [['domain'], ['subdomain'], mail, undefined],
    [['subdomain'], ['domain'], mail, 'domain'],
    [['mailbox', 'domain'], [], sms, undefined],
    [['phone', 'country'], [], mail, undefined],
  ])('with %j denied and %j allowed', async (denied, allowed, create, kind) => {
    for (const value of denied) await add('deny', value);
    for (const value of allowed) await add('allow', value);
    const result = await reserve(create());
    if (kind === undefined) expect(result).toHaveProperty('claim');
    else expect(result).toEqual({ reason: 'denied', kind });
  });

  test('a denied document stops the messages of its transactions, even to an allowed phone; an allowed document changes nothing', async () => {
    await saveDocument();
    await add('allow', 'phone');
    await add('deny', 'document');
    expect(await reserve(sms())).toEqual({ reason: 'denied', kind: 'document' });
    expect(await reserve({ ...sms(), transactionId: 'tx-2' })).toHaveProperty('claim');
    await pool.query('delete from list_entries');
    await add('allow', 'document');
    await add('deny', 'phone');
    expect(await reserve(sms())).toEqual({ reason: 'denied', kind: 'phone' });
  });
});

test('a denied message leaves no row, and uses no limit', async () => {
  await add('deny', 'phone');
  const send = sms();
  await reserve(send);
  expect(await findSend(pool, send.sendId)).toBeUndefined();
  expect((await pool.query('select from daily_sends')).rowCount).toBe(0);
});

test('an entry of another tenant has no effect', async () => {
  await add('deny', 'phone', { tenant: 'other' });
  expect(await reserve(sms())).toHaveProperty('claim');
});

test('an expired entry has no effect, and is deleted by the cleanup', async () => {
  await add('deny', 'phone', { secondsLeft: 60 });
  await add('deny', 'country');
  expect(await reserve(sms())).toEqual({ reason: 'denied', kind: 'phone' });
  await pool.query(`update list_entries set expires_at = now() - interval '1 second' where kind = 'phone'`);
  expect(await reserve(sms())).toEqual({ reason: 'denied', kind: 'country' });
  await deleteExpiredListEntries(pool);
  expect((await pool.query('select kind from list_entries')).rows).toEqual([{ kind: 'country' }]);
});

test('a reserved message that is denied before its request gets no request', async () => {
  const send = sms();
  await reserveSend(pool, send, limits);
  await add('deny', 'longPrefix');
  const result = await reserve(send);
  expect(result).toMatchObject({ row: { state: 'intent' }, deniedKind: 'prefix' });
  expect(result).not.toHaveProperty('claim');
});

test('workers of an earlier release, which give no domains, send nothing to a denied phone, reserved or not', async () => {
  const reserveAsBefore = async (newSend: NewSend) => {
    const send = { ...newSend, domains: undefined };
    const sql = 'select reserve_send($1::jsonb, $2::jsonb, true) as result';
    const { rows } = await pool.query(sql, [JSON.stringify(send), JSON.stringify(limits)]);
    return rows[0]?.result;
  };
  const reserved = sms();
  await reserveSend(pool, reserved, limits);
  await add('deny', 'country');
  expect(await reserveAsBefore(sms())).toEqual({ reason: 'denied', kind: 'country' });
  expect(await reserveAsBefore(reserved)).toMatchObject({ isClaimed: false, isOptedOut: true });
  expect(await reserveAsBefore(mail())).toMatchObject({ isClaimed: true });
});

test('an entry that is added while a message waits for another message to the same phone stops this message', async () => {
  const send = sms();
  const reserving = await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('sends/' || $1, 0))`, [send.destination]);
    const waiting = { result: reserve(send) };
    const waitsSql = `select from pg_locks where locktype = 'advisory' and not granted`;
    await waitUntil(async () => (await client.query(waitsSql)).rows.length > 0);
    await add('deny', 'phone');
    return waiting;
  });
  expect(await reserving.result).toEqual({ reason: 'denied', kind: 'phone' });
});

describe('a prefix with few answers', () => {
  const saveSends = () =>
    pool.query(
      `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination,
         prefix, state, expires_at)
       select 'own-' || n, 'own', n, n, 'sms-token', 'sms', 'token', 'phone-' || n, '+551198765', 'accepted', now() + interval '1 hour'
       from generate_series(1, 30) as n`,
    );

  test.each<[Value]>([['phone'], ['longPrefix'], ['country']])(
    'does not stop messages if the %s is allowed',
    async (value) => {
      await saveSends();
      await add('allow', value);
      expect(await reserve(sms())).toHaveProperty('claim');
      expect(await listBlocks(pool, 'own', { limit: 1 })).toEqual([]);
      await pool.query('delete from list_entries');
      expect(await reserve(sms())).toMatchObject({ reason: 'blocked' });
      await add('allow', value);
      expect(await reserve(sms())).toHaveProperty('claim');
    },
  );
});
