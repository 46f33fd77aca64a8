import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../activities/save-record';
import { type AssessedTransaction, findLinks, type LinkGraph } from '../../scoring/evidence/links';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import { createRecord } from '../../store/transactions/transactions.sql';
import { TransactionKeys } from '../../platform/keys/data-keys';
import type { PersonFacts, TransactionInput } from '../../domain/transactions/input';
import { newState } from '../../domain/transactions/state';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { person, testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { testTransactionKeys } from '../support/test-data-converter';
import { createTestLimits } from '../support/test-limits';

let postgres: TestPostgres;
let pool: Pool;
let linkGraph: ReturnType<typeof withDefaultWindow>;
let saveRecord: ReturnType<typeof createRecorder>;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 20);
  // On a busy machine, opening twenty connections takes longer than the timeout of production.
  pool.options.connectionTimeoutMillis = 60_000;
  linkGraph = withDefaultWindow(createPostgresLinkGraph(pool, testKeys));
  saveRecord = createRecorder({
    limits: createTestLimits(),
    pool,
    keys: testKeys,
    transactionKeys: testTransactionKeys,
    logger: createLogger('test', 'silent'),
  });
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

/** With the time window of the built-in policy: 30 days before and after a transaction. */
const withDefaultWindow = (postgresGraph: LinkGraph) => ({
  observe: (subject: AssessedTransaction, scope: 'own' | 'shared') =>
    postgresGraph.addAndFindRelated(subject, scope, 30),
});

const timeAt = (hour: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + hour * 3_600_000).toISOString();
const withPhone = (number: number) => ({ phone: { countryCode: 55, areaCode: 11, number } });
const withDocument = (number: number) => ({ document: String(number).padStart(11, '0') });

/** The assessed transaction. */
function buildSubject(
  input: Partial<TransactionInput> = {},
  changes: Partial<AssessedTransaction> = {},
): AssessedTransaction {
  const minimalInput = { documentType: 'CPF', document: '52998224725' };
  return { tenant: 'local', id: randomUUID(), createdAt: timeAt(12), input: { ...minimalInput, ...input }, ...changes };
}

it('the observation of a create is found, so an assessment makes one round trip', async () => {
  const subject = buildSubject(withPhone(987654321));
  const other = await linkGraph.observe(buildSubject(withPhone(987654321)), 'own');
  const keys = new TransactionKeys(pool, testKeys.serviceKeys);
  await createRecord(pool, keys, newState(subject), observationOf(testKeys, subject, circleOfTenant('local')));
  const query = jest.spyOn(pool, 'query');
  const { others } = await linkGraph.observe(subject, 'own');
  expect([idsOf(others), query.mock.calls.length]).toEqual([[other.own.transactionId], 1]);
});

const saveFacts = (subject: AssessedTransaction, facts: PersonFacts, version = 1) =>
  saveRecord({ savedVersion: version - 1, state: { ...newState(subject), version, facts } });
const idsOf = (others: { transactionId: string }[]) => others.map(({ transactionId }) => transactionId);

async function readFacts(id: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select circle, phone_confirmed as phone, email_confirmed as email, denied from observations
     where transaction_id = $1 order by circle`,
    [id],
  );
  return rows;
}

/** A node of a query plan of Postgres. */
interface PlanNode {
  [property: string]: unknown;
  Plans?: PlanNode[];
}

/** All nodes of the query plan of the search for related observations. */
async function explainSearch(subject: AssessedTransaction): Promise<PlanNode[]> {
  const queries: [string, unknown[]][] = [];
  const query = (sql: string, values: unknown[]) => {
    queries.push([sql, values]);
    return pool.query(sql, values);
  };
  await createPostgresLinkGraph(Object.assign(Object.create(pool) as Pool, { query }), testKeys).addAndFindRelated(
    subject,
    'own',
    30,
  );
  const [sql, values] = queries.at(-1) ?? ['', []];
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${sql}`,
    values,
  );
  const flattenPlan = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flattenPlan)];
  return rows.flatMap((row) => flattenPlan(row['QUERY PLAN'][0].Plan));
}

describe('related observations', () => {
  it('related observations share a value with the transaction, and are listed newest first, each once', async () => {
    const older = buildSubject({ ...person }, { createdAt: timeAt(1) });
    const newer = buildSubject({ ...withPhone(987654321), document: '11144477735' }, { createdAt: timeAt(2) });
    const unrelated = buildSubject({ ...withPhone(911111111), ...withDocument(1) });
    for (const one of [newer, unrelated, older]) await linkGraph.observe(one, 'own');
    const ownSubject = buildSubject({ ...person });
    const { own: ownObservation, others } = await linkGraph.observe(ownSubject, 'own');
    expect(ownObservation).toMatchObject({
      tenant: 'local',
      transactionId: ownSubject.id,
      at: ownSubject.createdAt,
      denied: false,
    });
    expect(idsOf(others)).toEqual([newer.id, older.id]);
    expect(others[1]?.values).toEqual(ownObservation.values);
    expect(Object.keys(others[0]?.values ?? {}).toSorted()).toEqual(['Document', 'Phone']);
    expect(others[0]?.values.Phone).toBe(ownObservation.values.Phone);
    expect(others[0]?.values.Document).not.toBe(ownObservation.values.Document);
  });

  it('a tenant that does not share its history finds no observations of other tenants', async () => {
    await linkGraph.observe(buildSubject({}, { tenant: 'one' }), 'own');
    await linkGraph.observe(buildSubject({}, { tenant: 'two' }), 'shared');
    expect((await linkGraph.observe(buildSubject({}, { tenant: 'three' }), 'own')).others).toEqual([]);
  });

  it('related observations come from all tenants that share their history, and from no other tenant', async () => {
    const observe = (tenant: string, scope: 'own' | 'shared') => linkGraph.observe(buildSubject({}, { tenant }), scope);
    const one = await observe('one', 'shared');
    await observe('closed', 'own');
    const two = await observe('two', 'shared');
    const three = await observe('one', 'shared');
    expect(idsOf(two.others)).toEqual([one.own.transactionId]);
    expect(idsOf(three.others).toSorted()).toEqual([one.own.transactionId, two.own.transactionId].toSorted());
    expect(three.others.map(({ values }) => values)).toEqual([three.own.values, three.own.values]);
  });

  it('after a tenant starts to share its history, it still finds its earlier observations', async () => {
    const observeOwner = (n: number, scope: 'own' | 'shared', hour: number) =>
      linkGraph.observe(
        buildSubject({ ...withPhone(987654321), ...withDocument(n) }, { createdAt: timeAt(hour) }),
        scope,
      );
    await observeOwner(1, 'own', 1);
    await observeOwner(2, 'own', 2);
    await observeOwner(2, 'shared', 3);
    const linkedObservations = await observeOwner(1, 'shared', 4);
    expect(linkedObservations.others).toHaveLength(3);
    expect(findLinks(linkedObservations, 30).countsByKind.Phone).toEqual({ transactions: 4, documents: 2, denials: 0 });
    expect(findLinks(linkedObservations, 30).pairs).toMatchObject([{ pair: ['Document', 'Phone'], times: 1 }]);
  });

  it('after a tenant stops sharing its history, it still finds its own observations', async () => {
    const { own: earlierObservation } = await linkGraph.observe(buildSubject(), 'shared');
    const { own: ownObservation, others } = await linkGraph.observe(buildSubject(), 'own');
    expect(idsOf(others)).toEqual([earlierObservation.transactionId]);
    const { values } = observationOf(testKeys, buildSubject(), 'tenant/local');
    expect([ownObservation.values, others[0]?.values]).toEqual([values, values]);
  });

  it('a tenant that shares its history finds its own observations, even if another tenant has many newer observations in the shared history', async () => {
    const observeOwner = (n: number, tenant: string, hour: number) =>
      linkGraph.observe(
        buildSubject({ ...withPhone(987654321), ...withDocument(n) }, { tenant, createdAt: timeAt(hour) }),
        'shared',
      );
    await observeOwner(2, 'one', 1);
    await observeOwner(2, 'two', 2);
    for (let n = 0; n < 49; n += 1) await observeOwner(1, 'two', 3);
    const { others, own: ownObservation } = await observeOwner(1, 'one', 4);
    expect(others).toHaveLength(51);
    expect(findLinks({ own: ownObservation, others }, 30).countsByKind.Phone).toEqual({
      transactions: 52,
      documents: 2,
      denials: 0,
    });
  });

  it('each value has its own limit of related observations, so a frequent document does not hide a rare phone', async () => {
    // All transactions have the same document, and only this transaction has the phone of the assessed transaction.
    const rarePhone = buildSubject({ ...withPhone(987654321), ...withDocument(7) }, { createdAt: timeAt(1) });
    await linkGraph.observe(rarePhone, 'own');
    const frequentSubjects = Array.from({ length: 300 }, (_, n) =>
      buildSubject({ ...withPhone(911111111), ...withDocument(7) }, { createdAt: timeAt(2 + n / 300) }),
    );
    for (const one of frequentSubjects) await linkGraph.observe(one, 'own');
    const linkedObservations = await linkGraph.observe(
      buildSubject({ ...withPhone(987654321), ...withDocument(7) }),
      'own',
    );
    expect(linkedObservations.others).toHaveLength(51);
    expect(findLinks(linkedObservations, 30).pairs).toMatchObject([{ pair: ['Document', 'Phone'], times: 1 }]);
    const newest = frequentSubjects.slice(-50).map(({ id }) => id);
    expect(idsOf(linkedObservations.others)).toEqual([...newest.toReversed(), rarePhone.id]);
  });

  it('related observations are found with one index for each kind of value, even if a value is very frequent', async () => {
    const rareColumns = Array.from({ length: 8 }, (_, n) => `md5('${n}' || n / 5)::uuid`).join(', ');
    await pool.query(
      `insert into observations select 'tenant/local', 'local', n, now(), ${rareColumns} from generate_series(1, 20000) n`,
    );
    const identifiers = { card: { bin: '411111', last4: '1234' }, sessionId: 's', identifierId: 'i' };
    const ownSubject = buildSubject({ ...person, ...identifiers });
    await linkGraph.observe(ownSubject, 'own');
    await pool.query(
      `insert into observations
       select circle, tenant, 'flood' || n, at, document, phone, email, zip_code, card, name, session, identifier
       from observations, generate_series(1, 2000) n where transaction_id = $1`,
      [ownSubject.id],
    );
    await pool.query('analyze observations');
    const scans = (await explainSearch(ownSubject)).filter((node) => node['Relation Name'] === 'observations');
    const indexes = scans.map((node) => [node['Node Type'], node['Index Name']]);
    const columns = ['document', 'phone', 'email', 'zip_code', 'card', 'name', 'session', 'identifier'];
    for (const column of columns) expect(indexes).toContainEqual(['Index Scan', `observations_by_${column}`]);
    expect(Math.max(...scans.map((node) => Number(node['Actual Rows']) * Number(node['Actual Loops'])))).toBe(50);
  });

  it('related observations do not include the observation of the transaction itself', async () => {
    for (let n = 0; n < 51; n += 1) await linkGraph.observe(buildSubject({}, { createdAt: timeAt(n / 60) }), 'own');
    const ownSubject = buildSubject();
    await linkGraph.observe(ownSubject, 'own');
    expect((await linkGraph.observe(ownSubject, 'own')).others).toHaveLength(50);
  });
});

describe('an observation', () => {
  it('an observation is saved once, and later saves do not change it', async () => {
    const subject = buildSubject({ ...person });
    const results = await Promise.all(Array.from({ length: 10 }, () => linkGraph.observe(subject, 'shared')));
    for (const { own: ownObservation, others } of results)
      expect([ownObservation, others]).toEqual([results[0]?.own, []]);
    const readRows = async () => (await pool.query('select * from observations order by circle')).rows;
    const rowsBefore = await readRows();
    expect(rowsBefore.map(({ circle }: { circle: string }) => circle)).toEqual(['shared', 'tenant/local']);
    await linkGraph.observe({ ...subject, createdAt: timeAt(20) }, 'shared');
    expect(await readRows()).toEqual(rowsBefore);
  });

  it('of two concurrent transactions with the same phone, at least one finds the other', async () => {
    const subjects = Array.from({ length: 20 }, (_, n) =>
      buildSubject({ ...withPhone(987654321), ...withDocument(n) }),
    );
    const relatedIds = await Promise.all(
      subjects.map(async (one) => idsOf((await linkGraph.observe(one, 'shared')).others)),
    );
    const missing = subjects.flatMap((left, i) =>
      subjects
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

  it('an observation contains no personal data', async () => {
    const input = { card: { bin: '411111', last4: '1234' }, sessionId: 'session-1', identifierId: 'identifier-1' };
    await linkGraph.observe(buildSubject({ ...person, ...input }), 'shared');
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

  it('a save of an observation fails during an outage of the database', async () => {
    const unreachablePool = openPool('postgres://nobody@127.0.0.1:1/none', createLogger('test', 'silent'));
    await expect(
      createPostgresLinkGraph(unreachablePool, testKeys).addAndFindRelated(buildSubject(), 'own', 30),
    ).rejects.toThrow('ECONNREFUSED');
    await unreachablePool.end();
  });
});

describe('the facts of a person', () => {
  it('facts that come after the observation are saved in the history of the tenant and in the shared history', async () => {
    const subject = buildSubject({ ...person });
    await linkGraph.observe(subject, 'shared');
    await saveFacts(subject, { phoneConfirmedAt: timeAt(13) });
    const facts = { phone: true, email: false, denied: false };
    expect(await readFacts(subject.id)).toEqual([
      { circle: 'shared', ...facts },
      { circle: 'tenant/local', ...facts },
    ]);
    await saveFacts(subject, { phoneConfirmedAt: timeAt(13), emailConfirmedAt: timeAt(14), deniedAt: timeAt(15) }, 2);
    const { others } = await linkGraph.observe(buildSubject({ ...person }, { tenant: 'other' }), 'shared');
    expect(others).toMatchObject([{ confirmed: { phone: true, email: true }, denied: true }]);
  });

  it('facts that come before the observation are saved with the observation', async () => {
    const subject = buildSubject({ ...person });
    await saveFacts(subject, { emailConfirmedAt: timeAt(13), deniedAt: timeAt(13) });
    expect(await readFacts(subject.id)).toEqual([]);
    const { own: ownObservation } = await linkGraph.observe(subject, 'shared');
    expect(ownObservation).toMatchObject({ confirmed: { phone: false, email: true }, denied: true });
    const facts = { phone: false, email: true, denied: true };
    expect(await readFacts(subject.id)).toEqual([
      { circle: 'shared', ...facts },
      { circle: 'tenant/local', ...facts },
    ]);
    expect((await linkGraph.observe(subject, 'shared')).own).toEqual(ownObservation);
  });

  it('the facts of a person change only the observations of their own tenant and transaction', async () => {
    const one = buildSubject();
    const [earlierSubject, laterSubject] = [
      { ...one, tenant: 'before' },
      { ...one, tenant: 'later' },
    ];
    await linkGraph.observe(earlierSubject, 'shared');
    await linkGraph.observe(buildSubject(), 'shared');
    await linkGraph.observe(one, 'shared');
    await saveFacts(one, { phoneConfirmedAt: timeAt(13) });
    await linkGraph.observe(laterSubject, 'shared');
    const { rows } = await pool.query(
      'select distinct tenant, transaction_id as id from observations where phone_confirmed',
    );
    expect(rows).toEqual([{ tenant: 'local', id: one.id }]);
  });

  /** Other writers of the row wait until `release` rolls the database transaction back. */
  async function lockRow(sql: string, values: unknown[]): Promise<{ release: () => Promise<void> }> {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(sql, values);
    return { release: async () => void (await client.query('rollback').finally(() => client.release())) };
  }

  /** Waits until a query waits for a lock. */
  async function waitForLock(): Promise<void> {
    const lockSql = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while ((await pool.query(lockSql)).rows.length === 0);
  }

  it('facts are not lost when the observation is saved during the save of the record', async () => {
    const subject = buildSubject();
    const rowLock = await lockRow(`insert into transactions (tenant, id, version) values ($1, $2, 0)`, [
      subject.tenant,
      subject.id,
    ]);
    const savePromise = saveFacts(subject, { phoneConfirmedAt: timeAt(13) });
    await waitForLock();
    await linkGraph.observe(subject, 'own');
    await rowLock.release();
    await savePromise;
    expect(await readFacts(subject.id)).toMatchObject([{ phone: true }]);
  });

  it('facts are not lost when the record is saved during the save of the observation', async () => {
    const one = buildSubject();
    const rowLock = await lockRow(
      `insert into observations (circle, tenant, transaction_id, at) values ('tenant/' || $1::text, $1, $2, now())`,
      [one.tenant, one.id],
    );
    const observePromise = linkGraph.observe(one, 'own');
    await waitForLock();
    await saveFacts(one, { phoneConfirmedAt: timeAt(13) });
    await rowLock.release();
    expect((await observePromise).own.confirmed.phone).toBe(true);
    expect(await readFacts(one.id)).toMatchObject([{ phone: true }]);
  });
});
