import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../../activities/save-record';
import { findLinks } from '../../../activities/scoring/evidence/links';
import type { History, Subject } from '../../../activities/scoring/history';
import { createPostgresHistory } from '../../../activities/scoring/postgres-history';
import { observationOf } from '../../../activities/scoring/observation-of';
import type { PersonFacts } from '../../../domain/person-facts';
import { newState } from '../../../domain/state';
import type { TransactionInput } from '../../../domain/transaction';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { person, testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
let history: ReturnType<typeof withDefaultWindow>;
let record: ReturnType<typeof createRecorder>;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 20);
  history = withDefaultWindow(createPostgresHistory(pool, testKeys));
  record = createRecorder(pool, testKeys, createLogger('test', 'silent'));
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

/** The history with the time spans of the built-in policy. */
const withDefaultWindow = (inner: History) => ({
  observe: (of: Subject, scope: 'own' | 'shared') => inner.observe(of, scope, 30),
});

const at = (hour: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + hour * 3_600_000).toISOString();
const phone = (number: number) => ({ phone: { countryCode: 55, areaCode: 11, number } });
const document = (number: number) => ({ document: String(number).padStart(11, '0') });

function subject(input: Partial<TransactionInput> = {}, changes: Partial<Subject> = {}): Subject {
  const bare = { documentType: 'CPF', document: '52998224725' };
  return { tenant: 'local', id: randomUUID(), createdAt: at(12), input: { ...bare, ...input }, ...changes };
}

const learn = (of: Subject, facts: PersonFacts, version = 1) => record({ state: { ...newState(of), version, facts } });
const idsOf = (others: { transactionId: string }[]) => others.map(({ transactionId }) => transactionId);

async function flags(id: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select circle, phone_confirmed as phone, email_confirmed as email, denied from observations
     where transaction_id = $1 order by circle`,
    [id],
  );
  return rows;
}

interface PlanNode {
  [property: string]: unknown;
  Plans?: PlanNode[];
}

/** Every node of the query plan that searches the related observations. */
async function explainLook(of: Subject): Promise<PlanNode[]> {
  const queries: [string, unknown[]][] = [];
  const query = (sql: string, values: unknown[]) => {
    queries.push([sql, values]);
    return pool.query(sql, values);
  };
  await createPostgresHistory(Object.assign(Object.create(pool) as Pool, { query }), testKeys).observe(of, 'own', 30);
  const [sql, values] = queries.at(-1) ?? ['', []];
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${sql}`,
    values,
  );
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return rows.flatMap((row) => nodes(row['QUERY PLAN'][0].Plan));
}

describe('related observations', () => {
  it('share a value with the transaction, newest first, each once', async () => {
    const older = subject({ ...person }, { createdAt: at(1) });
    const newer = subject({ ...phone(987654321), document: '11144477735' }, { createdAt: at(2) });
    const unrelated = subject({ ...phone(911111111), ...document(1) });
    for (const one of [newer, unrelated, older]) await history.observe(one, 'own');
    const mine = subject({ ...person });
    const { subject: own, others } = await history.observe(mine, 'own');
    expect(own).toMatchObject({ tenant: 'local', transactionId: mine.id, at: mine.createdAt, denied: false });
    expect(idsOf(others)).toEqual([newer.id, older.id]);
    expect(others[1]?.values).toEqual(own.values);
    expect(Object.keys(others[0]?.values ?? {}).toSorted()).toEqual(['Document', 'Phone']);
    expect(others[0]?.values.Phone).toBe(own.values.Phone);
    expect(others[0]?.values.Document).not.toBe(own.values.Document);
  });

  it('belong to the same tenant', async () => {
    await history.observe(subject({}, { tenant: 'one' }), 'own');
    await history.observe(subject({}, { tenant: 'two' }), 'shared');
    expect((await history.observe(subject({}, { tenant: 'three' }), 'own')).others).toEqual([]);
  });

  it('come from all tenants that share, and from no others', async () => {
    const observe = (tenant: string, scope: 'own' | 'shared') => history.observe(subject({}, { tenant }), scope);
    const one = await observe('one', 'shared');
    await observe('closed', 'own');
    const two = await observe('two', 'shared');
    const three = await observe('one', 'shared');
    expect(idsOf(two.others)).toEqual([one.subject.transactionId]);
    expect(idsOf(three.others).toSorted()).toEqual([one.subject.transactionId, two.subject.transactionId].toSorted());
    expect(three.others.map(({ values }) => values)).toEqual([three.subject.values, three.subject.values]);
  });

  it('stay the same when a tenant starts to share', async () => {
    const owner = (n: number, scope: 'own' | 'shared', hour: number) =>
      history.observe(subject({ ...phone(987654321), ...document(n) }, { createdAt: at(hour) }), scope);
    await owner(1, 'own', 1);
    await owner(2, 'own', 2);
    await owner(2, 'shared', 3);
    const surroundings = await owner(1, 'shared', 4);
    expect(surroundings.others).toHaveLength(3);
    expect(findLinks(surroundings, 30).spread.Phone).toEqual({ transactions: 4, documents: 2, denials: 0 });
    expect(findLinks(surroundings, 30).pairs).toMatchObject([{ pair: ['Document', 'Phone'], times: 1 }]);
  });

  it('of the own tenant remain when it stops sharing', async () => {
    const { subject: before } = await history.observe(subject(), 'shared');
    const { subject: own, others } = await history.observe(subject(), 'own');
    expect(idsOf(others)).toEqual([before.transactionId]);
    const { values } = observationOf(testKeys, subject(), 'tenant/local');
    expect([own.values, others[0]?.values]).toEqual([values, values]);
  });

  it('stay the same for a sharing tenant when others fill the shared graph', async () => {
    const owner = (n: number, tenant: string, hour: number) =>
      history.observe(subject({ ...phone(987654321), ...document(n) }, { tenant, createdAt: at(hour) }), 'shared');
    await owner(2, 'one', 1);
    await owner(2, 'two', 2);
    for (let n = 0; n < 49; n += 1) await owner(1, 'two', 3);
    const { others, subject: own } = await owner(1, 'one', 4);
    expect(others).toHaveLength(51);
    expect(findLinks({ subject: own, others }, 30).spread.Phone).toEqual({
      transactions: 52,
      documents: 2,
      denials: 0,
    });
  });

  it('are limited, and a frequent value does not displace another', async () => {
    const ringMember = subject({ ...phone(987654321), ...document(7) }, { createdAt: at(1) });
    await history.observe(ringMember, 'own');
    const frequent = Array.from({ length: 300 }, (_, n) =>
      subject({ ...phone(911111111), ...document(7) }, { createdAt: at(2 + n / 300) }),
    );
    for (const one of frequent) await history.observe(one, 'own');
    const surroundings = await history.observe(subject({ ...phone(987654321), ...document(7) }), 'own');
    expect(surroundings.others).toHaveLength(51);
    expect(findLinks(surroundings, 30).pairs).toMatchObject([{ pair: ['Document', 'Phone'], times: 1 }]);
    const newest = frequent.slice(-50).map(({ id }) => id);
    expect(idsOf(surroundings.others)).toEqual([...newest.toReversed(), ringMember.id]);
  });

  it('are read by index, however frequent a value is', async () => {
    const rare = Array.from({ length: 8 }, (_, n) => `md5('${n}' || n / 5)::uuid`).join(', ');
    await pool.query(
      `insert into observations select 'tenant/local', 'local', n, now(), ${rare} from generate_series(1, 20000) n`,
    );
    const identifiers = { card: { bin: '411111', last4: '1234' }, sessionId: 's', identifierId: 'i' };
    const mine = subject({ ...person, ...identifiers });
    await history.observe(mine, 'own');
    await pool.query(
      `insert into observations
       select circle, tenant, 'flood' || n, at, document, phone, email, zip_code, card, name, session, identifier
       from observations, generate_series(1, 2000) n where transaction_id = $1`,
      [mine.id],
    );
    await pool.query('analyze observations');
    const reads = (await explainLook(mine)).filter((node) => node['Relation Name'] === 'observations');
    const indexes = reads.map((node) => [node['Node Type'], node['Index Name']]);
    const columns = ['document', 'phone', 'email', 'zip_code', 'card', 'name', 'session', 'identifier'];
    for (const column of columns) expect(indexes).toContainEqual(['Index Scan', `observations_by_${column}`]);
    expect(Math.max(...reads.map((node) => Number(node['Actual Rows']) * Number(node['Actual Loops'])))).toBe(50);
  });

  it('do not include its own observation', async () => {
    for (let n = 0; n < 51; n += 1) await history.observe(subject({}, { createdAt: at(n / 60) }), 'own');
    const mine = subject();
    await history.observe(mine, 'own');
    expect((await history.observe(mine, 'own')).others).toHaveLength(50);
  });
});

describe('an observation', () => {
  it('is saved once, and later saves do not change it', async () => {
    const one = subject({ ...person });
    const results = await Promise.all(Array.from({ length: 10 }, () => history.observe(one, 'shared')));
    for (const { subject: own, others } of results) expect([own, others]).toEqual([results[0]?.subject, []]);
    const rows = async () => (await pool.query('select * from observations order by circle')).rows;
    const first = await rows();
    expect(first.map(({ circle }: { circle: string }) => circle)).toEqual(['shared', 'tenant/local']);
    await history.observe({ ...one, createdAt: at(20) }, 'shared');
    expect(await rows()).toEqual(first);
  });

  it('of 20 concurrent transactions with one phone: of any two, at least one finds the other', async () => {
    const all = Array.from({ length: 20 }, (_, n) => subject({ ...phone(987654321), ...document(n) }));
    const relatedIds = await Promise.all(all.map(async (one) => idsOf((await history.observe(one, 'shared')).others)));
    const missing = all.flatMap((left, i) =>
      all
        .slice(i + 1)
        .filter((right, j) => !relatedIds[i]?.includes(right.id) && !relatedIds[i + 1 + j]?.includes(left.id)),
    );
    expect(missing).toEqual([]);
    const { rows } = await pool.query('select circle, count(*)::int as count from observations group by 1 order by 1');
    expect(rows).toEqual([
      { circle: 'shared', count: 20 },
      { circle: 'tenant/local', count: 20 },
    ]);
  });

  it('contains no personal data', async () => {
    const input = { card: { bin: '411111', last4: '1234' }, sessionId: 'session-1', identifierId: 'identifier-1' };
    await history.observe(subject({ ...person, ...input }), 'shared');
    const dump = JSON.stringify((await pool.query('select * from observations')).rows).toLowerCase();
    for (const value of [
      '52998224725',
      'maria',
      'silva',
      'example',
      '987654321',
      '01310100',
      '411111',
      'ion-1',
      'fier-1',
    ])
      expect(dump).not.toContain(value);
    const { rows } = await pool.query<{ values: number }>(
      `select count(distinct value)::int as values from observations,
       unnest(array[document, phone, email, zip_code, card, name, session, identifier]) as value`,
    );
    expect(rows).toEqual([{ values: 16 }]);
  });

  it('fails during an outage of the database', async () => {
    const away = openPool('postgres://nobody@127.0.0.1:1/none', createLogger('test', 'silent'));
    await expect(createPostgresHistory(away, testKeys).observe(subject(), 'own', 30)).rejects.toThrow('ECONNREFUSED');
    await away.end();
  });
});

describe('the facts of a person', () => {
  it('are visible to others when they come after the observation, in both graphs', async () => {
    const one = subject({ ...person });
    await history.observe(one, 'shared');
    await learn(one, { phone: at(13) });
    const facts = { phone: true, email: false, denied: false };
    expect(await flags(one.id)).toEqual([
      { circle: 'shared', ...facts },
      { circle: 'tenant/local', ...facts },
    ]);
    await learn(one, { phone: at(13), email: at(14), denied: at(15) }, 2);
    const { others } = await history.observe(subject({ ...person }, { tenant: 'other' }), 'shared');
    expect(others).toMatchObject([{ confirmed: { phone: true, email: true }, denied: true }]);
  });

  it('are visible when they come before the observation', async () => {
    const one = subject({ ...person });
    await learn(one, { email: at(13), denied: at(13) });
    expect(await flags(one.id)).toEqual([]);
    const { subject: own } = await history.observe(one, 'shared');
    expect(own).toMatchObject({ confirmed: { phone: false, email: true }, denied: true });
    const facts = { phone: false, email: true, denied: true };
    expect(await flags(one.id)).toEqual([
      { circle: 'shared', ...facts },
      { circle: 'tenant/local', ...facts },
    ]);
    expect((await history.observe(one, 'shared')).subject).toEqual(own);
  });

  it('belong to one tenant and transaction', async () => {
    const one = subject();
    const [before, after] = [
      { ...one, tenant: 'before' },
      { ...one, tenant: 'later' },
    ];
    await history.observe(before, 'shared');
    await history.observe(subject(), 'shared');
    await history.observe(one, 'shared');
    await learn(one, { phone: at(13) });
    await history.observe(after, 'shared');
    const { rows } = await pool.query(
      'select distinct tenant, transaction_id as id from observations where phone_confirmed',
    );
    expect(rows).toEqual([{ tenant: 'local', id: one.id }]);
  });

  /** Holds a row that is rolled back in the end: writers of the same row wait until `goOn`. */
  async function lockRow(sql: string, values: unknown[]): Promise<{ release: () => Promise<void> }> {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(sql, values);
    return { release: async () => void (await client.query('rollback').finally(() => client.release())) };
  }

  async function untilWaiting(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while ((await pool.query(waiting)).rows.length === 0);
  }

  it('are not lost when the observation is saved during the save of the record', async () => {
    const one = subject();
    const block = await lockRow(`insert into transactions (tenant, id, version, state) values ($1, $2, 0, '{}')`, [
      one.tenant,
      one.id,
    ]);
    const recorded = learn(one, { phone: at(13) });
    await untilWaiting();
    await history.observe(one, 'own');
    await block.release();
    await recorded;
    expect(await flags(one.id)).toMatchObject([{ phone: true }]);
  });

  it('are not lost when the record is saved during the save of the observation', async () => {
    const one = subject();
    const block = await lockRow(
      `insert into observations (circle, tenant, transaction_id, at) values ('tenant/' || $1::text, $1, $2, now())`,
      [one.tenant, one.id],
    );
    const observed = history.observe(one, 'own');
    await untilWaiting();
    await learn(one, { phone: at(13) });
    await block.release();
    expect((await observed).subject.confirmed.phone).toBe(true);
    expect(await flags(one.id)).toMatchObject([{ phone: true }]);
  });
});
