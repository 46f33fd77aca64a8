import { randomUUID } from 'node:crypto';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import { limits } from '../../domain/transactions/limits';
import type { TransactionState } from '../../domain/transactions/state';
import { buildState, testKeys } from '../support/build';
import { openRecordWorld, type RecordWorld } from './record-world';
import { testTransactionKeys } from '../support/test-data-converter';
import { waitUntil } from '../support/wait-until';
import { findState, saveState } from '../../store/transactions/transactions.sql';

let world: RecordWorld;
let pool: RecordWorld['pool'];
let saveRecord: RecordWorld['saveRecord'];
beforeAll(async () => {
  world = await openRecordWorld();
  ({ pool, saveRecord } = world);
});
afterAll(() => world.close());

const withVersion = (state: TransactionState, version: number): TransactionState => ({ ...state, version });
/** A different state with the same version. */
const changeState = (state: TransactionState): TransactionState => ({
  ...state,
  changedAt: '2026-01-01T12:00:03.000Z',
});

test('a state is saved if it continues from the record, and a repeated save changes nothing', async () => {
  const state = buildState();
  const save = (version: number, savedVersion: number) =>
    saveRecord({ savedVersion, state: withVersion(state, version) });
  expect(await save(2, 0)).toEqual({ attemptAllowed: true });
  // The same state again, as after a lost response.
  expect(await save(2, 0)).toEqual({ attemptAllowed: true });
  expect(await save(5, 2)).toEqual({ attemptAllowed: true });
  // The record can be older than the workflow knows, because an earlier backup of Postgres was restored.
  expect(await save(9, 8)).toEqual({ attemptAllowed: true });
  expect(await findState(pool, testTransactionKeys, state)).toEqual(withVersion(state, 9));
});

test.each([
  ['an older version', 1, 0],
  ['another state with the same version', 2, 1],
  ['a higher version that continues from an older record', 5, 1],
])('if the record is ahead, it is returned and not overwritten: %s', async (_, version, savedVersion) => {
  const state = buildState();
  const record = withVersion(state, 2);
  await saveRecord({ savedVersion: 0, state: record });
  const late = withVersion(changeState(state), version);
  expect(await saveRecord({ savedVersion, state: late })).toEqual({ attemptAllowed: true, newerRecord: record });
  expect(await findState(pool, testTransactionKeys, state)).toEqual(record);
});

test('if the record is ahead of a state with an attempt, the record is returned, and the attempt counts once', async () => {
  const state = buildState();
  const record = withVersion(state, 3);
  await saveRecord({ savedVersion: 0, state: record });
  const attempt = {
    attemptId: randomUUID(),
    destination: `${randomUUID()}@example.org`,
    counts: true,
    stateIfRejected: withVersion(changeState(state), 3),
  };
  expect(await saveRecord({ savedVersion: 2, state: withVersion(changeState(state), 3), attempt })).toEqual({
    attemptAllowed: true,
    newerRecord: record,
  });
  const repeat = { savedVersion: 3, state: withVersion(changeState(state), 4), attempt };
  expect(await saveRecord(repeat)).toEqual({ attemptAllowed: true });
  for (let made = 1; made < limits.attemptsPerDestination; made += 1)
    await saveRecord({ savedVersion: 0, state: buildState(), attempt: { ...attempt, attemptId: randomUUID() } });
  const other = { savedVersion: 2, state: withVersion(changeState(state), 5) };
  expect(await saveRecord({ ...other, attempt: { ...attempt, attemptId: randomUUID() } })).toEqual({
    attemptAllowed: false,
    newerRecord: repeat.state,
  });
});

test('the link graph gets no facts of a state that was not saved', async () => {
  const state = buildState();
  await createPostgresLinkGraph(pool, testKeys).addAndFindRelated(state, 'shared', 30);
  const deniedState = { ...withVersion(state, 2), facts: { deniedAt: '2026-01-01T13:00:00.000Z' } };
  await saveState(pool, testTransactionKeys, deniedState, 0);
  const facts = { phoneConfirmedAt: '2026-01-01T13:00:03.000Z' };
  expect(await saveRecord({ savedVersion: 0, state: { ...withVersion(changeState(state), 2), facts } })).toEqual({
    attemptAllowed: true,
    newerRecord: deniedState,
  });
  const { rows } = await pool.query('select phone_confirmed, denied from observations where transaction_id = $1', [
    state.id,
  ]);
  expect(rows).toEqual([1, 2].map(() => ({ phone_confirmed: false, denied: true })));
});

test('a change is saved, even if the assessment saves the first record at the same time', async () => {
  const state = buildState();
  const assessing = await pool.connect();
  await assessing.query('begin');
  await saveState(assessing, testTransactionKeys, state, 0);
  const saving = saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 1) });
  const isWaiting = async () =>
    (await pool.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
      .rowCount === 1;
  await waitUntil(isWaiting);
  await assessing.query('commit');
  assessing.release();
  expect(await saving).toEqual({ attemptAllowed: true });
  expect((await findState(pool, testTransactionKeys, state))?.version).toBe(1);
});
