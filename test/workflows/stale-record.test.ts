import { emailToken, smsToken } from '../../flows/confirmations';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

// On the real server, because its histories are the ones that are replayed.
let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterAll(() => world.close());

/** A transaction whose record is ahead of it, with a state that a worker saved before it died. */
async function passed(transaction: TestTransaction, by: number): Promise<void> {
  const state = await transaction.state();
  const never = { ...state, version: state.version + by, changedAt: 'never', confirmations: [] };
  world.activities.records.set(transaction.id, never);
}

const recordOf = async (transaction: TestTransaction) => world.viewOf(await transaction.state(), await world.now());

test.each([4, 9])('a response is in the record, although a stale record was ahead by %i versions', async (by) => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await passed(transaction, by);
  const answer = await transaction.request(smsToken);
  expect(answer.status).toBe('Waiting');
  expect(await recordOf(transaction)).toEqual(await transaction.view());
  await passed(transaction, by);
  expect((await transaction.answer(smsToken, transaction.code(smsToken))).status).toBe('Valid');
  expect(await recordOf(transaction)).toEqual(await transaction.view());
  await replay(await transaction.history());
});

test('a rejected attempt is in the record, too', async () => {
  const transaction = await world.transaction();
  await transaction.request(smsToken);
  await passed(transaction, 1);
  world.activities.grantsAttempts = false;
  expect((await transaction.answer(smsToken, '000000')).status).toBe('Blocked');
  world.activities.grantsAttempts = true;
  expect(await recordOf(transaction)).toEqual(await transaction.view());
  await replay(await transaction.history());
});

test('concurrent changes are saved with it, and a second stale record is overwritten, too', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  world.activities.recordConflicts = 3;
  await Promise.all([transaction.analyse('scores'), transaction.request(smsToken), transaction.request(emailToken)]);
  expect(await recordOf(transaction)).toEqual(await transaction.view());
  world.activities.recordConflicts = 2;
  await transaction.analyse('scores');
  expect(world.activities.recordConflicts).toBe(0);
  expect(await recordOf(transaction)).toEqual(await transaction.view());
  await replay(await transaction.history());
});

test('it overwrites after a timer, which never fires on a worker that Temporal has replaced', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await passed(transaction, 3);
  await transaction.analyse('scores');
  const { events } = await transaction.history();
  const kinds = (events ?? []).flatMap((event) =>
    event.markerRecordedEventAttributes
      ? ['record']
      : event.timerStartedEventAttributes
        ? ['timer']
        : event.timerFiredEventAttributes
          ? ['fired']
          : [],
  );
  // The first is the day that a transaction waits for changes.
  expect(kinds).toEqual(['timer', 'record', 'timer', 'fired', 'record']);
  expect(await recordOf(transaction)).toEqual(await transaction.view());
});
