import { emailToken, smsToken } from '../../flows/confirmations';
import { replay } from '../support/replay';
import { type Told, World } from '../support/world';

// On the real server, whose histories are those that are replayed.
let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterAll(() => world.close());

/** A transaction whose record is ahead of it by a state that a worker kept before it died. */
async function passed(told: Told, by: number): Promise<void> {
  const state = await told.state();
  const never = { ...state, version: state.version + by, changedAt: 'never', confirmations: [] };
  world.activities.records.set(told.id, never);
}

const recordOf = async (told: Told) => world.viewOf(await told.state(), await world.now());

test.each([4, 9])('an answer is in the record, which a stale record had passed by %i versions', async (by) => {
  const told = await world.transaction();
  await world.assessed(told);
  await passed(told, by);
  const answer = await told.request(smsToken);
  expect(answer.status).toBe('Waiting');
  expect(await recordOf(told)).toEqual(await told.view());
  await passed(told, by);
  expect((await told.answer(smsToken, told.code(smsToken))).status).toBe('Valid');
  expect(await recordOf(told)).toEqual(await told.view());
  await replay(await told.history());
});

test('a rejected attempt is in the record, too', async () => {
  const told = await world.transaction();
  await told.request(smsToken);
  await passed(told, 1);
  world.activities.grantsGuesses = false;
  expect((await told.answer(smsToken, '000000')).status).toBe('Blocked');
  world.activities.grantsGuesses = true;
  expect(await recordOf(told)).toEqual(await told.view());
  await replay(await told.history());
});

test('concurrent changes are saved with it, and a second stale record is overwritten, too', async () => {
  const told = await world.transaction();
  await world.assessed(told);
  world.activities.passes = 3;
  await Promise.all([told.analyse('scores'), told.request(smsToken), told.request(emailToken)]);
  expect(await recordOf(told)).toEqual(await told.view());
  world.activities.passes = 2;
  await told.analyse('scores');
  expect(world.activities.passes).toBe(0);
  expect(await recordOf(told)).toEqual(await told.view());
  await replay(await told.history());
});

test('it overwrites after a timer, which never fires on a worker that Temporal has replaced', async () => {
  const told = await world.transaction();
  await world.assessed(told);
  await passed(told, 3);
  await told.analyse('scores');
  const { events } = await told.history();
  const kinds = (events ?? []).flatMap((event) =>
    event.markerRecordedEventAttributes
      ? ['record']
      : event.timerStartedEventAttributes
        ? ['timer']
        : event.timerFiredEventAttributes
          ? ['fired']
          : [],
  );
  // The first is the day that a transaction waits for something to happen.
  expect(kinds).toEqual(['timer', 'record', 'timer', 'fired', 'record']);
  expect(await recordOf(told)).toEqual(await told.view());
});
