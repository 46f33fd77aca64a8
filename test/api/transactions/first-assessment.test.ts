import { randomUUID } from 'node:crypto';
import { createFirstAssessment, openFirstAssessment } from '../../../api/transactions/first-assessment';
import { openRecords, type Records } from '../../../api/transactions/records';
import { defaultPolicy } from '../../../domain/scoring/policy';
import type { TransactionState } from '../../../domain/transactions/state';
import { testDocuments } from '../../../messages/test-mode';
import { createLogger } from '../../../platform/logger';
import type { Pool } from '../../../platform/postgres/postgres';
import { asTenant } from '../../../platform/postgres/tenant-scope';
import { createMailServers } from '../../../scoring/evidence/email';
import { openPolicies } from '../../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import { eraseTransaction } from '../../../store/privacy/erase-transaction';
import { saveState } from '../../../store/transactions/transactions.sql';
import { buildState, person, testKeys } from '../../support/build';
import { LogLines } from '../../support/log-lines';
import { testTransactionKeys } from '../../support/test-data-converter';
import { useTestPool } from '../../support/test-pool';
import { waitUntil } from '../../support/wait-until';

const logs = new LogLines();
const logger = createLogger('test', 'info', logs.stream);
let pool: Pool;
let records: Records;
useTestPool((opened) => {
  pool = opened;
  records = openRecords({ pool, keys: testKeys, transactionKeys: testTransactionKeys, logger });
});

type Sources = Parameters<typeof createFirstAssessment>[0];

function firstAssessment(changes: Partial<Sources> = {}) {
  return createFirstAssessment({
    pool,
    transactionKeys: testTransactionKeys,
    logger,
    policies: { policyFor: () => defaultPolicy },
    linkGraph: createPostgresLinkGraph(pool, testKeys),
    mailServers: createMailServers({ timeoutMs: 0 }),
    ...changes,
  });
}

async function createRecord(changes: Partial<TransactionState> = {}): Promise<TransactionState> {
  const state = { ...buildState(), ...changes };
  await records.create(state);
  return state;
}

const readRecord = ({ tenant, id }: TransactionState) => records.findState({ tenant, id });

test('the record has its first score, its event, and the result is the record', async () => {
  const state = await createRecord();
  const assessed = await asTenant(state.tenant, () => firstAssessment()(state));
  expect(assessed).toEqual(await readRecord(state));
  expect(assessed).toMatchObject({ version: 1, scores: [{ reason: 'Initial', createdAt: assessed.changedAt }] });
  const { rows } = await pool.query<{ type: string }>('select type from transaction_events where transaction_id = $1', [
    state.id,
  ]);
  expect(rows.map(({ type }) => type)).toContain('score.changed');
});

test('of two transactions that are created at the same time, at least one finds the other', async () => {
  for (let round = 0; round < 10; round += 1) {
    const input = { ...person, phone: { countryCode: 55, areaCode: 11, number: 970_000_000 + round } };
    const assessed = await Promise.all(
      [1, 2].map(async () => firstAssessment()(await createRecord({ id: randomUUID(), input }))),
    );
    const counts = assessed.map(({ evidence }) => evidence?.links?.countsByKind.Phone?.transactions ?? 0);
    expect(Math.max(...counts)).toBe(2);
  }
});

test('a tenant that shares its history finds the transactions of others, and a tenant that does not finds none', async () => {
  const input = { ...person, document: '39053344705' };
  const policyFor = (tenant: string) => ({
    ...defaultPolicy,
    history: tenant === 'alone' ? ('own' as const) : ('shared' as const),
  });
  const assessFor = async (tenant: string) => {
    const state = await createRecord({ id: randomUUID(), tenant, input });
    const { evidence } = await asTenant(tenant, () => firstAssessment({ policies: { policyFor } })(state));
    return evidence?.links?.countsByKind.Document?.transactions;
  };
  expect(await assessFor('first')).toBe(1);
  expect(await assessFor('second')).toBe(2);
  expect(await assessFor('alone')).toBe(1);
});

test('without an answer of DNS in time, the caller waits no longer, and the late evidence is dropped', async () => {
  const state = await createRecord();
  let answer: (found: 'found') => void = () => undefined;
  const mailServers = { lookUp: () => new Promise<'found'>((resolve) => (answer = resolve)) };
  expect(await firstAssessment({ mailServers })(state)).toBe(state);
  expect(logs.lines.at(-1)).toMatchObject({ transactionId: state.id, failure: 'Timeout' });
  answer('found');
  // Another assessment, which begins later and is saved.
  await firstAssessment()(await createRecord({ id: randomUUID() }));
  expect(await readRecord(state)).toEqual(state);
});

test('while the record is locked, the caller does not wait for its save, and the record gets the score later', async () => {
  const state = await createRecord();
  const lock = await pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select from transactions where id = $1 for update', [state.id]);
    expect(await firstAssessment()(state)).toBe(state);
    expect(logs.lines.at(-1)).toMatchObject({ transactionId: state.id, failure: 'SlowSave' });
  } finally {
    await lock.query('rollback');
    lock.release();
  }
  await waitUntil(async () => (await readRecord(state))?.version === 1);
});

test('if the record is ahead, the result is the record', async () => {
  const state = await createRecord();
  const newer = { ...state, version: 1, attemptsUsed: 3, changedAt: new Date().toISOString() };
  await saveState(pool, testTransactionKeys, newer, 0);
  expect(await firstAssessment()(state)).toEqual(newer);
});

test('if the link graph cannot be read, the first assessment is left to the workflow', async () => {
  const state = await createRecord();
  const linkGraph = { addAndFindRelated: () => Promise.reject(new Error('away')) };
  expect(await firstAssessment({ linkGraph })(state)).toBe(state);
  expect(await readRecord(state)).toEqual(state);
  expect(logs.lines.at(-1)).toMatchObject({
    transactionId: state.id,
    failure: 'Error',
    msg: 'the first assessment is left to the workflow',
  });
});

test('a transaction that is erased meanwhile gets no assessment', async () => {
  const state = await createRecord();
  const usual = createPostgresLinkGraph(pool, testKeys);
  const erasure = {
    pool,
    transactionKeys: { forget: () => undefined },
    erasureLog: { append: async () => undefined },
    endWorkflow: async () => false,
  };
  const linkGraph: Sources['linkGraph'] = {
    addAndFindRelated: async (...parameters) => {
      const found = await usual.addAndFindRelated(...parameters);
      await eraseTransaction(erasure, { tenant: state.tenant, id: state.id }, 'test');
      return found;
    },
  };
  expect(await firstAssessment({ linkGraph })(state)).toBe(state);
  const { rows } = await pool.query('select version, sealed from transactions where id = $1', [state.id]);
  expect(rows).toEqual([{ version: 0, sealed: null }]);
});

describe('with settings', () => {
  const settings = { MX_TIMEOUT_MS: 0, COUNTERSIGN_ENV: 'local', TEST_MODE: 'true' } as const;
  const open = (changes: Partial<Parameters<typeof openFirstAssessment>[0]>) =>
    openFirstAssessment(
      { ...settings, BUREAU_URL: undefined, ...changes },
      { pool, keys: testKeys, transactionKeys: testTransactionKeys, policies: openPolicies(undefined), logger },
    );

  test('a transaction that a bureau is asked about is left to its workflow', async () => {
    const state = await createRecord();
    expect(await open({ BUREAU_URL: 'https://bureau.example' })(state)).toBe(state);
    expect(await readRecord(state)).toEqual(state);
  });

  test('a test document has its score in test mode', async () => {
    const input = { ...person, document: testDocuments.highScore.document };
    const [inTestMode, outside] = await Promise.all(
      (['true', 'false'] as const).map(async (TEST_MODE) =>
        open({ TEST_MODE })(await createRecord({ id: randomUUID(), input })),
      ),
    );
    expect(inTestMode?.scores.at(-1)?.value).toBe(100);
    expect(outside?.scores.at(-1)?.value).toBeLessThan(100);
  });
});
