import { randomUUID } from 'node:crypto';
import { createPostgresLinkGraph } from '../../activities/scoring/postgres-link-graph';
import { createRecordReader } from '../../api/temporal/record-reader';
import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { FlowRun } from '../../domain/flows/run';
import { limits } from '../../domain/limits';
import type { TransactionState } from '../../domain/state';
import { buildState, testKeys } from '../support/build';
import { openRecordWorld, type RecordWorld } from './record-world';
import { testTransactionKeys } from '../support/test-data-converter';
import { createRecorder } from '../../activities/save-record';
import { createLogger } from '../../platform/logger';
import { findState, RecordOfOtherRunError, saveState } from '../../store/record/transactions.sql';
import { testRun } from '../support/test-workflow-runs';
import { createTestLimits } from '../support/test-limits';

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

test('saving a state returns the conflicting version if a different state with the same or a newer version is already saved', async () => {
  const state = buildState();
  expect(await saveRecord({ savedVersion: 0, state: withVersion(state, 2) })).toEqual({ attemptAllowed: true });
  // The same state again, as after a lost response.
  expect(await saveRecord({ savedVersion: 0, state: withVersion(state, 2) })).toEqual({ attemptAllowed: true });
  expect(await saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 2) })).toEqual({
    attemptAllowed: true,
    conflictingVersion: 2,
  });
  expect(await saveRecord({ savedVersion: 0, state: withVersion(state, 1) })).toEqual({
    attemptAllowed: true,
    conflictingVersion: 2,
  });
  expect(await saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 3) })).toEqual({
    attemptAllowed: true,
  });
});

test('if a state is saved with an attempt, the result also has the conflicting version, and the attempt counts', async () => {
  const state = buildState();
  await saveRecord({ savedVersion: 0, state: withVersion(state, 3) });
  const attempt = {
    attemptId: randomUUID(),
    destination: `${randomUUID()}@example.org`,
    counts: true,
    stateIfRejected: withVersion(changeState(state), 3),
  };
  expect(await saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 3), attempt: attempt })).toEqual({
    attemptAllowed: true,
    conflictingVersion: 3,
  });
  expect(await saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 4), attempt: attempt })).toEqual({
    attemptAllowed: true,
  });
  for (let made = 1; made < limits.attemptsPerDestination; made += 1)
    await saveRecord({ savedVersion: 0, state: buildState(), attempt: { ...attempt, attemptId: randomUUID() } });
  const otherAttempt = { ...attempt, attemptId: randomUUID() };
  expect(
    await saveRecord({ savedVersion: 0, state: withVersion(changeState(state), 5), attempt: otherAttempt }),
  ).toEqual({
    attemptAllowed: false,
    conflictingVersion: 4,
  });
});

describe('a record that another workflow run has saved', () => {
  const createRun = (runId: string) => {
    const ended: string[] = [];
    const workflowRuns = {
      current: () => ({ workflowId: 'workflow-1', runId }),
      endResetRun: async ({ runId: endedRun }: { runId: string }) => void ended.push(endedRun),
    };
    const logger = createLogger('test', 'silent');
    const save = createRecorder({
      limits: createTestLimits(),
      pool,
      keys: testKeys,
      transactionKeys: testTransactionKeys,
      workflowRuns,
      logger,
    });
    return { save, ended };
  };

  test.each([1, 2])(
    'if another workflow run has saved version 2, a workflow run that saves version %i ends, and does not overwrite the record',
    async (version) => {
      const state = buildState();
      await saveRecord({ savedVersion: 0, state: withVersion(state, 2) });
      const { save, ended } = createRun('run-2');
      await expect(save({ savedVersion: 0, state: withVersion(changeState(state), version) })).rejects.toThrow(
        RecordOfOtherRunError,
      );
      expect(ended).toEqual(['run-2']);
      expect(await findState(pool, testTransactionKeys, state)).toEqual(withVersion(state, 2));
    },
  );

  test('a workflow run that continues from an older record does not overwrite the record of another workflow run', async () => {
    const state = buildState();
    await saveRecord({ savedVersion: 0, state: withVersion(state, 2) });
    const { save, ended } = createRun('run-2');
    const record = { savedVersion: 1, state: withVersion(changeState(state), 5) };
    await expect(save(record)).rejects.toThrow(RecordOfOtherRunError);
    expect(ended).toEqual(['run-2']);
    expect(await findState(pool, testTransactionKeys, state)).toEqual(withVersion(state, 2));
  });

  test('a workflow run that continues from the record of another workflow run overwrites this record, as after a resume', async () => {
    const state = buildState();
    await saveRecord({ savedVersion: 0, state: withVersion(state, 2) });
    const { save, ended } = createRun('run-2');
    expect(await save({ savedVersion: 2, state: withVersion(state, 3) })).toEqual({ attemptAllowed: true });
    expect(ended).toEqual([]);
  });
});

test('the link graph gets no facts of a state that was not saved', async () => {
  const state = buildState();
  await createPostgresLinkGraph(pool, testKeys).addAndFindRelated(state, 'shared', 30);
  const deniedState = { ...withVersion(state, 2), facts: { deniedAt: '2026-01-01T13:00:00.000Z' } };
  await saveState(pool, testTransactionKeys, deniedState, testRun);
  const facts = { phoneConfirmedAt: '2026-01-01T13:00:03.000Z' };
  expect(await saveRecord({ savedVersion: 0, state: { ...withVersion(changeState(state), 2), facts } })).toEqual({
    attemptAllowed: true,
    conflictingVersion: 2,
  });
  const { rows } = await pool.query('select phone_confirmed, denied from observations where transaction_id = $1', [
    state.id,
  ]);
  expect(rows).toEqual([1, 2].map(() => ({ phone_confirmed: false, denied: false })));
});

test('saving a state removes the rows that belong only to a stale record', async () => {
  const state = { ...buildState(), tenant: randomUUID() };
  const { tenant, id, createdAt } = state;
  const buildRun = (name: string, change: Partial<FlowRun> = {}): FlowRun => ({
    id: `${name} of ${id}`,
    flow: 'some',
    version: 1,
    status: 'Running',
    startedAt: createdAt,
    path: [{ step: 'code', enteredAt: createdAt }],
    ...change,
  });
  const buildLink = (name: string): Biometrics => ({
    id: `${name} of ${id}`,
    tokenHash: `hash of ${name} of ${id}`,
    status: 'Processing',
    submittedAt: createdAt,
    createdAt,
    expiresAt: createdAt,
    identifierDate: createdAt,
    language: 'pt-BR',
    sends: [],
    captures: {},
    taken: 0,
    imageDays: 90,
  });
  const completedRun = buildRun('old', { status: 'Completed' });
  const movedRun = buildRun('run', { path: [...buildRun('run').path, { step: 'never', enteredAt: createdAt }] });
  const staleRuns = [buildRun('never'), buildRun('never, and ended', { status: 'Completed' })];
  await saveRecord({
    savedVersion: 0,
    state: {
      ...withVersion(state, 2),
      biometrics: [buildLink('link'), buildLink('never')],
      runs: [completedRun, movedRun, ...staleRuns],
    },
  });
  await saveRecord({
    savedVersion: 0,
    state: { ...withVersion(buildState(), 1), tenant, runs: [buildRun('another')] },
  });
  const newState = { ...withVersion(state, 3), biometrics: [buildLink('link')], runs: [completedRun, buildRun('run')] };
  expect([
    await saveRecord({ savedVersion: 0, state: newState }),
    await saveRecord({ savedVersion: 0, state: newState }),
  ]).toEqual([{ attemptAllowed: true }, { attemptAllowed: true }]);
  const sql = `select id, step, (select count(*)::int from flow_run_steps where run_id = id) as steps
    from flow_runs where tenant = $1 order by id`;
  expect((await pool.query(sql, [tenant])).rows).toEqual(
    ['another', 'old', 'run'].map((name) => ({ id: `${name} of ${id}`, step: 'code', steps: 1 })),
  );
  const reviews = await createRecordReader(pool, testTransactionKeys).findReviews(tenant, { limit: 9 });
  expect(reviews.map(({ biometrics }) => biometrics.id)).toEqual([`link of ${id}`]);
  await saveRecord({ savedVersion: 0, state: withVersion(state, 4) });
  expect((await pool.query(sql, [tenant])).rows).toHaveLength(1);
  expect(await createRecordReader(pool, testTransactionKeys).findReviews(tenant, { limit: 9 })).toEqual([]);
});
