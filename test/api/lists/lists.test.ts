import { randomUUID } from 'node:crypto';
import { listEntriesPerTenant } from '../../../domain/lists/list-entries';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, problemShape } from '../api-world';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
beforeEach(async () => {
  await pool.query('delete from list_entries; delete from audit_log');
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

interface Entry {
  id: string;
  list: string;
  kind: string;
  value: string;
  reason: string;
}

const path = '/v1/lists';
const put = (body: object, token?: string) =>
  world.post(path, { body: { list: 'deny', reason: 'r', ...body }, ...(token && { token }) });
const search = async (body: object) =>
  ((await world.post(`${path}/search`, { body })).body as { entries: Entry[] }).entries;
const list = async (query = '', token?: string) => {
  const { status, body } = await world.request(`${path}${query}`, token === undefined ? {} : { token });
  expect(status).toBe(200);
  return body as { entries: Entry[]; next?: string };
};

const phone = { kind: 'phone', phone: { countryCode: 55, areaCode: 11, number: 987654321 } };
const country = { kind: 'country', country: '55' };

describe('an entry', () => {
  test.each<[object, string, object]>([
    [phone, '+55*********21', { kind: 'phone', phone: { countryCode: 55, areaCode: '11', number: '987654321' } }],
    [{ kind: 'prefix', prefix: '551198765' }, '551198765', { kind: 'prefix', prefix: '551198765' }],
    [country, '55', country],
    [
      { kind: 'mailbox', email: 'M.aria+tag@GMAIL.com' },
      'M***@gmail.com',
      { kind: 'mailbox', email: 'maria@gmail.com' },
    ],
    [{ kind: 'domain', domain: 'Exämple.COM' }, 'xn--exmple-cua.com', { kind: 'domain', domain: 'xn--exmple-cua.com' }],
    [
      { kind: 'document', documentType: 'CPF', document: '529.982.247-25' },
      'CPF *********25',
      { kind: 'document', documentType: 'cpf', document: '52998224725' },
    ],
    [{ kind: 'ip', ip: '::ffff:203.0.113.7' }, '203.0.*.*', { kind: 'ip', ip: '203.0.113.7' }],
    [{ kind: 'ip', ip: '2001:db8:1:2::1' }, '2001:db8:*', { kind: 'ip', ip: '2001:db8:1:2:ffff::' }],
    [{ kind: 'network', network: '203.0.113.7/24' }, '203.0.113.0/24', { kind: 'network', network: '203.0.113.0/24' }],
  ])('%j is shown as %s, and is found in another spelling', async (value, shown, otherSpelling) => {
    const { status, body } = await put(value);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        list: 'deny',
        kind: (value as Entry).kind,
        value: shown,
        reason: 'r',
        addedBy: 'client-of-local',
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await search(otherSpelling)).toEqual([body]);
    // A personal value is saved only as a hash.
    const { rows } = await pool.query<{ row: string }>('select e::text as row from list_entries e');
    for (const secret of ['987654321', 'aria', '52998224725', '203.0.113.7', '2001:db8:1'])
      expect(rows[0]?.row).not.toContain(secret);
  });

  test('that is added again on the same list gets the new reason and end, and one row', async () => {
    const first = (await put({ ...phone, expiresAt: '2098-01-01T00:00:00Z' })).body as Entry;
    const second = await put({ ...phone, reason: 'new' });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first, reason: 'new', expiresAt: undefined });
    expect((await list()).entries).toHaveLength(1);
  });

  test('cannot be on both lists', async () => {
    const { id } = (await put(phone)).body as Entry;
    expect((await put({ ...phone, list: 'allow' })).body).toEqual({
      ...problemShape('list_entry_conflict', 409),
      entryId: id,
    });
    expect((await world.request(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await put({ ...phone, list: 'allow' })).status).toBe(201);
  });

  test('that has expired is neither listed nor found, cannot be removed, and can be added again on the other list', async () => {
    const { id } = (await put({ ...phone, expiresAt: '2098-01-01T00:00:00Z' })).body as Entry;
    await pool.query(`update list_entries set expires_at = now() - interval '1 second'`);
    expect((await list()).entries).toEqual([]);
    expect(await search(phone)).toEqual([]);
    expect((await world.request(`${path}/${id}`, { method: 'DELETE' })).body).toEqual(
      problemShape('list_entry_not_found', 404),
    );
    const again = await put({ ...phone, list: 'allow' });
    expect([again.status, (again.body as Entry).id]).toEqual([201, expect.not.stringMatching(id)]);
  });

  test('is added, changed and removed with an entry in the audit log, which has neither the value nor the reason', async () => {
    const { id } = (await put({ ...phone, reason: 'Maria Silva' })).body as Entry;
    await put({ ...phone, expiresAt: '2098-01-01T00:00:00Z' });
    await world.request(`${path}/${id}`, { method: 'DELETE' });
    const { rows } = await pool.query('select tenant, owner, actor, action, detail from audit_log order by id');
    const entry = { tenant: 'local', owner: id, actor: 'client-of-local' };
    const detail = { list: 'deny', kind: 'phone' };
    expect(rows).toEqual([
      { ...entry, action: 'list_entry_added', detail },
      { ...entry, action: 'list_entry_changed', detail: { ...detail, expiresAt: '2098-01-01T00:00:00.000Z' } },
      { ...entry, action: 'list_entry_removed', detail },
    ]);
  });
});

test('entries are listed newest first, in pages, by list and kind', async () => {
  const prefixes = ['551', '552', '553', '554', '555'];
  for (const prefix of prefixes) await put({ kind: 'prefix', prefix });
  await put({ ...country, list: 'allow' });
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page = await list(`?kind=prefix&limit=2${after}`);
    seen.push(...page.entries.map(({ value }) => value));
    if (page.next === undefined) break;
    after = `&after=${page.next}`;
  }
  expect(seen).toEqual(prefixes.toReversed());
  expect((await list('?list=allow')).entries.map(({ value }) => value)).toEqual(['55']);
  expect((await list('?list=allow&kind=prefix')).entries).toEqual([]);
});

test('tenants neither see nor remove entries of each other', async () => {
  const other = await world.issueToken('other');
  const { id } = (await put(phone)).body as Entry;
  expect((await list('', other)).entries).toEqual([]);
  expect((await world.post(`${path}/search`, { body: phone, token: other })).body).toEqual({ entries: [] });
  const removal = await world.request(`${path}/${id}`, { method: 'DELETE', token: other });
  expect(removal.body).toEqual(problemShape('list_entry_not_found', 404));
  expect((await put(phone, other)).status).toBe(201);
});

test('the scope lists:manage is required', async () => {
  const token = await world.issueToken('local', ['blocks:manage']);
  const codes = await Promise.all([
    world.request(path, { token }),
    put(phone, token),
    world.post(`${path}/search`, { body: phone, token }),
    world.request(`${path}/${randomUUID()}`, { method: 'DELETE', token }),
  ]);
  for (const { body } of codes) expect(body).toMatchObject({ code: 'insufficient_scope' });
});

test('a tenant at its limit can change entries, but not add one, even with ten requests at once', async () => {
  await pool.query(
    `insert into list_entries (tenant, list, kind, value, shown, reason, added_by)
     select 'local', 'deny', 'prefix', n, n, 'r', 'c' from generate_series(1, $1) as n`,
    [listEntriesPerTenant - 1],
  );
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) => put({ kind: 'domain', domain: `d${index}.example` })),
  );
  expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(results.find(({ status }) => status !== 201)?.body).toEqual(problemShape('list_limit_reached', 422));
  expect((await put({ kind: 'prefix', prefix: '1', reason: 'new' })).status).toBe(200);
});

test.each<[string, object, string]>([
  ['an unknown kind', { kind: 'name', name: 'x' }, 'kind'],
  ['no kind', { phone: phone.phone }, 'kind'],
  ['no reason', { ...country, reason: '' }, 'reason'],
  ['a long reason', { ...country, reason: 'x'.repeat(201) }, 'reason'],
  ['a reason with a line break', { ...country, reason: 'a\nb' }, 'reason'],
  ['another list', { ...country, list: 'block' }, 'list'],
  ['an end in the past', { ...country, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['an end that is no time', { ...country, expiresAt: 'tomorrow' }, 'expiresAt'],
  ['a prefix with a plus sign', { kind: 'prefix', prefix: '+55' }, 'prefix'],
  ['a whole number as prefix', { kind: 'prefix', prefix: '551198765432' }, 'prefix'],
  ['a wildcard', { kind: 'prefix', prefix: '55%' }, 'prefix'],
  ['a dial code that does not exist', { kind: 'country', country: '999' }, 'country'],
  ['a domain of one label', { kind: 'domain', domain: 'com' }, 'domain'],
  ['a domain with a path', { kind: 'domain', domain: 'example.com/x' }, 'domain'],
  ['a mailbox without a domain', { kind: 'mailbox', email: 'maria' }, 'email'],
  ['a short CPF', { kind: 'document', documentType: 'CPF', document: '123' }, 'document'],
  ['a host name as IP address', { kind: 'ip', ip: 'localhost' }, 'ip'],
  ['a number as IP address', { kind: 'ip', ip: '0x7f000001' }, 'ip'],
  ['an IPv6 address with a zone', { kind: 'ip', ip: 'fe80::1%eth0' }, 'ip'],
  ['the network of the whole Internet', { kind: 'network', network: '0.0.0.0/0' }, 'network'],
  ['a network of one address', { kind: 'network', network: '203.0.113.7/32' }, 'network'],
])('an entry with %s is rejected', async (_, value, field) => {
  const { status, body } = await put(value);
  expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, [field]]);
  expect((await list()).entries).toEqual([]);
});

test.each(['?list=x', '?kind=x', '?limit=0', '?after=x', '?tenant=other'])(
  'a list with the query %s is rejected',
  async (query) => {
    expect((await world.request(`${path}${query}`)).status).toBe(400);
  },
);

test('an id that is no UUID is an unknown entry', async () => {
  const response = await world.request(`${path}/${encodeURIComponent("x' or true")}`, { method: 'DELETE' });
  expect(response.body).toEqual(problemShape('list_entry_not_found', 404));
});
