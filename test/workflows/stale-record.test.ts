import { emailToken, smsToken } from '../../flows/confirmations';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

// The tests use the real server, because some histories of the time-skipping server cannot be replayed.
let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.close());

/** Saves a record as if a worker had died just after it saved this record. */
async function saveStaleRecord(transaction: TestTransaction, versionsAhead: number): Promise<void> {
  const state = await transaction.readState();
  const staleRecord = { ...state, version: state.version + versionsAhead, changedAt: 'never', confirmations: [] };
  world.activities.records.set(transaction.id, staleRecord);
}

const viewRecord = async (transaction: TestTransaction) =>
  world.viewOf(await transaction.readState(), await world.now());

test.each([4, 9])(
  'a change is saved in the record before the caller gets the response, even if a dead worker left a record that is %i versions ahead',
  async (versionsAhead) => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    await saveStaleRecord(transaction, versionsAhead);
    const answer = await transaction.request(smsToken);
    expect(answer.status).toBe('Waiting');
    expect(await viewRecord(transaction)).toEqual(await transaction.readView());
    await saveStaleRecord(transaction, versionsAhead);
    expect((await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).status).toBe('Valid');
    expect(await viewRecord(transaction)).toEqual(await transaction.readView());
    await replay(await transaction.fetchHistory());
  },
);

test('a rejected attempt is saved in the record, even if a dead worker left a record that is one version ahead', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  await saveStaleRecord(transaction, 1);
  world.activities.destinationHasAttemptsLeft = false;
  expect((await transaction.answer(smsToken, '000000')).status).toBe('Blocked');
  world.activities.destinationHasAttemptsLeft = true;
  expect(await viewRecord(transaction)).toEqual(await transaction.readView());
  await replay(await transaction.fetchHistory());
});

test('concurrent changes overwrite a stale record, and also a second stale record', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.recordConflicts = 3;
  await Promise.all([transaction.analyse('scores'), transaction.request(smsToken), transaction.request(emailToken)]);
  expect(await viewRecord(transaction)).toEqual(await transaction.readView());
  world.activities.recordConflicts = 2;
  await transaction.analyse('scores');
  expect(world.activities.recordConflicts).toBe(0);
  expect(await viewRecord(transaction)).toEqual(await transaction.readView());
  await replay(await transaction.fetchHistory());
});

// Temporal may give a workflow to a new worker while the old worker still runs. The old worker gets no more events, so its timer never
// fires, and it overwrites no good record.
test('a stale record is overwritten only after a timer', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await saveStaleRecord(transaction, 3);
  await transaction.analyse('scores');
  const { events } = await transaction.fetchHistory();
  const eventKinds = (events ?? []).flatMap((event) =>
    event.markerRecordedEventAttributes
      ? ['record']
      : event.timerStartedEventAttributes
        ? ['timer']
        : event.timerFiredEventAttributes
          ? ['fired']
          : [],
  );
  // The first timer closes the transaction after a day without changes.
  expect(eventKinds).toEqual(['timer', 'record', 'timer', 'fired', 'record']);
  expect(await viewRecord(transaction)).toEqual(await transaction.readView());
});
