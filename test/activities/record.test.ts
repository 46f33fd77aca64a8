import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../activities/save-record';
import { openRecords } from '../../api/transactions/records';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import type { Biometrics } from '../../domain/biometrics/biometrics';
import { limits } from '../../domain/transactions/limits';
import type { TransactionState } from '../../domain/transactions/state';
import { hashDestination } from '../../messages/codes';
import { createLogger } from '../../platform/logger';
import { LogLines } from '../support/log-lines';
import type { Pool } from '../../platform/postgres/postgres';
import type { AttemptToCount } from '../../workflows/contract/activities';
import { buildState, testKeys } from '../support/build';
import { openRecordWorld, type RecordWorld } from './record-world';
import { testTransactionKeys } from '../support/test-data-converter';
import { findState } from '../../store/transactions/transactions.sql';
import { createTestLimits } from '../support/test-limits';

let world: RecordWorld;
let pool: RecordWorld['pool'];
let saveRecord: RecordWorld['saveRecord'];
beforeAll(async () => {
  world = await openRecordWorld();
  ({ pool, saveRecord } = world);
});
afterAll(() => world.close());

/** A different `attemptsUsed` in each state shows which state was saved. */
const withVersion = (state: TransactionState, version: number, attemptsUsed = 0): TransactionState => ({
  ...state,
  version,
  attemptsUsed,
});

async function readRecord(id: string): Promise<TransactionState | undefined> {
  return findState(pool, testTransactionKeys, { tenant: buildState().tenant, id });
}

const newDestination = () => `${randomUUID()}@example.org`;

/** `counts`: whether the attempt counts for the limit. Only an attempt with a wrong code counts. */
function buildAttempt(destination: string, changes: Partial<AttemptToCount> = {}): AttemptToCount {
  return { attemptId: randomUUID(), destination, counts: true, ...changes };
}

const { attemptsPerDestination, attemptsPerDestinationOfAllTenants } = limits;

/** `tenant`: the tenant that sent the codes. */
async function makeWrongAttempts(destination: string, count: number, tenant = buildState().tenant): Promise<void> {
  for (let done = 0; done < count; done += 1)
    expect((await saveAttempt(buildAttempt(destination), { ...buildState(), tenant })).withinLimit).toBe(true);
}

/** Saves a new transaction with an attempt. `attemptsUsed` is 1 for an attempt within the limit, and 2 for a rejected attempt. */
async function saveAttempt(
  attempt: AttemptToCount,
  state = buildState(),
): Promise<{ withinLimit: boolean; attemptsUsed: number }> {
  const { attemptAllowed: withinLimit } = await saveRecord({
    savedVersion: 0,
    state: withVersion(state, 1, 1),
    attempt: { ...attempt, stateIfRejected: withVersion(state, 1, 2) },
  });
  return { withinLimit, attemptsUsed: (await readRecord(state.id))?.attemptsUsed ?? 0 };
}

/** Repeats the attempt while the pool has no free connection. In production, Temporal does this. */
async function saveAttemptWithRetries(
  attempt: AttemptToCount,
  state = buildState(),
): Promise<{ withinLimit: boolean; attemptsUsed: number }> {
  try {
    return await saveAttempt(attempt, state);
  } catch (error) {
    if (!String(error).includes('timeout exceeded when trying to connect')) throw error;
    return saveAttemptWithRetries(attempt, state);
  }
}

async function countCountedAttempts(destination: string): Promise<number> {
  const { rows } = await pool.query('select 1 from code_attempts where destination = $1 and counts', [
    hashDestination(testKeys, destination),
  ]);
  return rows.length;
}

describe('a record', () => {
  it('a record is saved completely, and replaced only by newer versions', async () => {
    const state = buildState();
    await saveRecord({ savedVersion: 0, state: withVersion(state, 2, 2) });
    expect(await readRecord(state.id)).toEqual(withVersion(state, 2, 2));
    await saveRecord({ savedVersion: 0, state: withVersion(state, 1, 1) });
    await saveRecord({ savedVersion: 0, state: withVersion(state, 2, 9) });
    expect(await readRecord(state.id)).toEqual(withVersion(state, 2, 2));
    await saveRecord({ savedVersion: 2, state: withVersion(state, 3, 3) });
    expect(await readRecord(state.id)).toEqual(withVersion(state, 3, 3));
  });

  it('after 50 versions of a record were saved at the same time in a mixed order, the record has the newest version', async () => {
    const state = buildState();
    const versions = Array.from({ length: 50 }, (_, index) => ((index * 7) % 50) + 1);
    await Promise.all(
      versions.map((version) => saveRecord({ savedVersion: version - 1, state: withVersion(state, version, version) })),
    );
    expect(await readRecord(state.id)).toEqual(withVersion(state, 50, 50));
  });

  it('two records of different tenants with the same id do not affect each other', async () => {
    const state = buildState();
    await saveRecord({ savedVersion: 0, state: withVersion(state, 5) });
    await saveRecord({ savedVersion: 0, state: { ...withVersion(state, 1), tenant: 'other' } });
    const { rows } = await pool.query('select tenant, version from transactions where id = $1 order by version', [
      state.id,
    ]);
    expect(rows).toEqual([
      { tenant: 'other', version: 1 },
      { tenant: state.tenant, version: 5 },
    ]);
  });
});

describe('the limit of attempts', () => {
  it('the limit of attempts counts the attempts in all transactions of a tenant; for a rejected attempt, `stateIfRejected` is saved', async () => {
    const destination = newDestination();
    await makeWrongAttempts(destination, attemptsPerDestination);
    expect(await saveAttempt(buildAttempt(destination))).toEqual({ withinLimit: false, attemptsUsed: 2 });
    expect(await saveAttempt(buildAttempt(newDestination()))).toEqual({ withinLimit: true, attemptsUsed: 1 });
  });

  it('attempts of one tenant do not block the codes of other tenants', async () => {
    const destination = newDestination();
    await makeWrongAttempts(destination, attemptsPerDestination, 'attacker');
    expect((await saveAttempt(buildAttempt(destination))).withinLimit).toBe(true);
    expect((await saveAttempt(buildAttempt(destination, { counts: false }))).withinLimit).toBe(true);
  });

  it('after the attempts of all tenants have reached the total limit, wrong codes are rejected, and a correct code is accepted', async () => {
    const destination = newDestination();
    for (let made = 0; made < attemptsPerDestinationOfAllTenants; made += attemptsPerDestination)
      await makeWrongAttempts(destination, attemptsPerDestination, `attacker-${made}`);
    expect((await saveAttempt(buildAttempt(destination, { counts: false }))).withinLimit).toBe(true);
    // Attempts that the total limit rejects also count for the limit of the tenant.
    for (let count = 0; count < attemptsPerDestination; count += 1)
      expect((await saveAttempt(buildAttempt(destination))).withinLimit).toBe(false);
    expect((await saveAttempt(buildAttempt(destination, { counts: false }))).withinLimit).toBe(false);
  });

  // Without the database lock for this limit, this test accepted 25 attempts in place of 20.
  it('the limit of attempts holds for 200 concurrent attempts', async () => {
    const destination = newDestination();
    const results = await Promise.all(
      Array.from({ length: 200 }, () => saveAttemptWithRetries(buildAttempt(destination))),
    );
    const attemptsWithinLimit = results.filter((result) => result.withinLimit);
    expect({ withinLimit: attemptsWithinLimit.length, counts: await countCountedAttempts(destination) }).toEqual({
      withinLimit: 20,
      counts: 20,
    });
    expect(results.every((result) => result.attemptsUsed === (result.withinLimit ? 1 : 2))).toBe(true);
  });

  it('an attempt counts once, and its repeat gets the same result, even after the limit is reached', async () => {
    const destination = newDestination();
    const [wrongAttempt, rightAttempt] = [buildAttempt(destination), buildAttempt(destination, { counts: false })];
    const repeat = () =>
      Promise.all([
        saveAttempt(wrongAttempt),
        saveAttempt(rightAttempt),
        saveAttempt(wrongAttempt),
        saveAttempt(rightAttempt),
      ]);
    for (const result of await repeat()) expect(result.withinLimit).toBe(true);
    expect(await countCountedAttempts(destination)).toBe(1);
    await makeWrongAttempts(destination, attemptsPerDestination - 1);
    const rejectedAttempt = buildAttempt(destination);
    expect((await saveAttempt(rejectedAttempt)).withinLimit).toBe(false);
    for (const result of await repeat()) expect(result.withinLimit).toBe(true);
    await pool.query("update code_attempts set at = at - interval '2 days' where counts");
    expect((await saveAttempt(rejectedAttempt)).withinLimit).toBe(false);
  });

  it('a correct code does not count as an attempt, but is rejected after the limit', async () => {
    const destination = newDestination();
    for (let count = 0; count < 5; count += 1)
      expect((await saveAttempt(buildAttempt(destination, { counts: false }))).withinLimit).toBe(true);
    expect(await countCountedAttempts(destination)).toBe(0);
    await makeWrongAttempts(destination, attemptsPerDestination);
    expect((await saveAttempt(buildAttempt(destination, { counts: false }))).withinLimit).toBe(false);
  });

  it('attempts outside the time window of the limit do not count', async () => {
    const destination = newDestination();
    await makeWrongAttempts(destination, attemptsPerDestination);
    await pool.query('update code_attempts set at = at - $1 * $2::interval', [
      limits.destinationWindowMs,
      '1 millisecond',
    ]);
    expect((await saveAttempt(buildAttempt(destination))).withinLimit).toBe(true);
  });

  it('an attempt does not count if the record is not saved', async () => {
    const destination = newDestination();
    const state = { ...buildState(), createdAt: 'never' };
    await expect(saveAttempt(buildAttempt(destination), state)).rejects.toMatchObject({ type: 'RecordNotSaved' });
    expect(await countCountedAttempts(destination)).toBe(0);
  });

  it('saved attempts have only keyed hashes of phones and mailboxes', async () => {
    const destination = newDestination();
    await saveAttempt(buildAttempt(destination));
    const { rows } = await pool.query('select destination, attempt_id from code_attempts');
    expect(JSON.stringify(rows)).not.toContain(destination);
  });
});

describe('the facts of a record', () => {
  /** Counts round trips to the database, except inside a database transaction. */
  function countRoundTrips(): { pool: Pool; roundTrips: () => number } {
    let roundTrips = 0;
    const query = (...parameters: Parameters<Pool['query']>) => {
      roundTrips += 1;
      return pool.query(...parameters);
    };
    return {
      pool: Object.assign(Object.create(pool) as Pool, { query, connect: () => pool.connect() }),
      roundTrips: () => roundTrips,
    };
  }

  const observe = (state: TransactionState) =>
    createPostgresLinkGraph(pool, testKeys).addAndFindRelated(state, 'shared', 30);

  async function readFacts(id: string): Promise<unknown[]> {
    const sql = `select xmin::text as written, phone_confirmed as phone, email_confirmed as email, denied
      from observations where transaction_id = $1 order by circle`;
    return (await pool.query(sql, [id])).rows;
  }

  it.each<TransactionState['facts']>([
    {},
    { biometrics: { status: 'Approved', at: '2026-01-01T13:00:00.000Z' } },
    { phoneConfirmedAt: '2026-01-01T13:00:00.000Z' },
    { emailConfirmedAt: '2026-01-01T13:00:00.000Z' },
    { deniedAt: '2026-01-01T13:00:00.000Z' },
  ])('the save of a record needs one round trip to the database for the facts %j', async (facts) => {
    const { pool: countingPool, roundTrips } = countRoundTrips();
    await createRecorder({
      limits: createTestLimits(),
      pool: countingPool,
      keys: testKeys,
      transactionKeys: testTransactionKeys,
      logger: createLogger('test', 'silent'),
    })({ savedVersion: 0, state: { ...withVersion(buildState(), 1), facts } });
    expect(roundTrips()).toBe(1);
  });

  it('facts are written to the link graph only when they change', async () => {
    const state = buildState();
    await observe(state);
    const facts = { phoneConfirmedAt: '2026-01-01T13:00:00.000Z' };
    await saveRecord({ savedVersion: 0, state: { ...withVersion(state, 1), facts } });
    const factsBefore = await readFacts(state.id);
    expect(factsBefore).toMatchObject([{ phone: true, email: false, denied: false }, { phone: true }]);
    await saveRecord({ savedVersion: 1, state: { ...withVersion(state, 2), facts } });
    expect(await readFacts(state.id)).toEqual(factsBefore);
  });

  it('facts are written to the link graph only if their state was saved', async () => {
    const destination = newDestination();
    await makeWrongAttempts(destination, attemptsPerDestination);
    const [rejectedState, stateWithinLimit] = [buildState(), buildState()];
    await observe(rejectedState);
    await observe(stateWithinLimit);
    const withEmailFact = (state: TransactionState) => ({
      ...withVersion(state, 1),
      facts: { emailConfirmedAt: '2026-01-01T13:00:00.000Z' },
    });
    const exhaustedAttempt = { ...buildAttempt(destination), stateIfRejected: withVersion(rejectedState, 1) };
    const { pool: countingPool, roundTrips } = countRoundTrips();
    await createRecorder({
      limits: createTestLimits(),
      pool: countingPool,
      keys: testKeys,
      transactionKeys: testTransactionKeys,
      logger: createLogger('test', 'silent'),
    })({ savedVersion: 0, state: withEmailFact(rejectedState), attempt: exhaustedAttempt });
    // The attempt, and the state without the fact.
    expect(roundTrips()).toBe(2);
    const openAttempt = { ...buildAttempt(newDestination()), stateIfRejected: withVersion(stateWithinLimit, 1) };
    await saveRecord({ savedVersion: 0, state: withEmailFact(stateWithinLimit), attempt: openAttempt });
    expect(await readFacts(rejectedState.id)).toMatchObject([{ email: false }, { email: false }]);
    expect(await readFacts(stateWithinLimit.id)).toMatchObject([{ email: true }, { email: true }]);
  });

  it('a late save of an older record does not change the facts', async () => {
    const state = buildState();
    await observe(state);
    await saveRecord({
      savedVersion: 0,
      state: { ...withVersion(state, 2), facts: { deniedAt: '2026-01-01T13:00:00.000Z' } },
    });
    await saveRecord({
      savedVersion: 0,
      state: { ...withVersion(state, 1), facts: { phoneConfirmedAt: '2026-01-01T13:00:00.000Z' } },
    });
    expect(await readFacts(state.id)).toMatchObject([
      { phone: false, denied: true },
      { phone: false, denied: true },
    ]);
  });
});

describe('the biometrics links of a record', () => {
  const openTestRecords = () =>
    openRecords({
      ...{ pool, keys: testKeys, transactionKeys: testTransactionKeys },
      logger: createLogger('test', 'error', log.stream),
    });
  const log = new LogLines();
  const buildLink = (id: string, change: Partial<Biometrics> = {}): Biometrics => ({
    id,
    tokenHash: `hash of ${id}`,
    status: 'Waiting',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
    identifierDate: '2026-01-01T00:00:00.000Z',
    language: 'pt-BR',
    sends: [],
    captures: {},
    taken: 0,
    imageDays: 90,
    ...change,
  });
  const buildSubmittedLink = (id: string, submittedAt: string) => buildLink(id, { status: 'Processing', submittedAt });
  const saveLinks = async (tenant: string, version: number, biometrics: Biometrics[], id?: string) => {
    const state = { ...buildState(), tenant, ...(id ? { id } : {}), version, biometrics };
    await saveRecord({ savedVersion: version - 1, state });
    return state.id;
  };

  it('biometrics links are found by the hash of their token, with the current record', async () => {
    const ids = [randomUUID(), randomUUID()];
    const id = await saveLinks(
      'a',
      1,
      ids.map((one) => buildLink(one)),
    );
    for (const linkId of ids)
      expect(await openTestRecords().findLink({ tokenHash: `hash of ${linkId}` })).toMatchObject({
        biometricsId: linkId,
        state: { id },
      });
    expect(await openTestRecords().findLink({ tokenHash: ids[0] ?? '' })).toBeUndefined();
    expect(await openTestRecords().findLink({ tenant: 'b', id: ids[0] ?? '' })).toBeUndefined();
  });

  it('biometrics links are listed for review in the order of their submission, in pages, per tenant', async () => {
    const tenant = randomUUID();
    const ids = ['c', 'a', 'b'].map((name) => `${name}-${tenant}`);
    for (const [index, linkId] of ids.entries())
      await saveLinks(tenant, 1, [buildSubmittedLink(linkId, `2026-01-0${4 - index}T00:00:00.000Z`)]);
    await saveLinks(tenant, 1, [buildLink(randomUUID())]);
    const firstPage = await openTestRecords().findReviews(tenant, { limit: 2 });
    expect(firstPage.reviews.map(({ biometrics }) => biometrics.id)).toEqual([ids[2], ids[1]]);
    const { submittedAt = '', id = '' } = firstPage.reviews[1]?.biometrics ?? {};
    expect(firstPage.next).toEqual({ at: submittedAt, id });
    const lastPage = await openTestRecords().findReviews(tenant, { limit: 2, after: { at: submittedAt, id } });
    expect(lastPage.reviews.map(({ biometrics }) => biometrics.id)).toEqual([ids[0]]);
    expect(lastPage.next).toBeUndefined();
  });

  it('a link whose record cannot be opened is left out of its page and logged, and the pages go on', async () => {
    const tenant = randomUUID();
    const ids = ['a', 'b', 'c'].map((name) => `${name}-${tenant}`);
    const transactions: string[] = [];
    for (const [index, linkId] of ids.entries())
      transactions.push(
        await saveLinks(tenant, 1, [buildSubmittedLink(linkId, `2026-01-0${index + 1}T00:00:00.000Z`)]),
      );
    const [, broken] = transactions;
    await pool.query('update transactions set sealed = $2 where id = $1', [broken, Buffer.from('changed by hand')]);
    const firstPage = await openTestRecords().findReviews(tenant, { limit: 2 });
    expect(firstPage.reviews.map(({ biometrics }) => biometrics.id)).toEqual([ids[0]]);
    expect(log.lines).toMatchObject([
      { level: 50, task: 'list reviews', transactionId: broken, biometricsId: ids[1], failure: 'BrokenSealError' },
    ]);
    const { next } = firstPage;
    if (!next) throw new Error('There is no next page.');
    const lastPage = await openTestRecords().findReviews(tenant, { limit: 2, after: next });
    expect(lastPage.reviews.map(({ biometrics }) => biometrics.id)).toEqual([ids[2]]);
  });

  it('biometrics links are not listed for review after the decision, even if an older version of the record is saved later', async () => {
    const [tenant, linkId] = [randomUUID(), randomUUID()];
    const id = await saveLinks(tenant, 1, [buildSubmittedLink(linkId, '2026-01-01T00:00:00.000Z')]);
    await saveLinks(tenant, 3, [buildLink(linkId, { status: 'Approved' })], id);
    await saveLinks(tenant, 2, [buildSubmittedLink(linkId, '2026-01-01T00:00:00.000Z'), buildLink(randomUUID())], id);
    expect(await openTestRecords().findReviews(tenant, { limit: 9 })).toEqual({ reviews: [] });
    const { rows } = await pool.query('select count(*)::int as links from biometrics_links where tenant = $1', [
      tenant,
    ]);
    expect(rows).toEqual([{ links: 1 }]);
  });
});
