import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import { confirmations } from '../../flows/confirmations';
import { codeOf } from '../support/build';
import { replay } from '../support/replay';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const flow = (name: string): ConfirmationSettings => {
  const found = confirmations.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`There is no flow ${name}.`);
  return found;
};

const confirmationOf = (told: Told, name: string): string => {
  const message = told.messages().find((sent) => sent.flow.name === name);
  if (!message) throw new Error(`No message of ${name} was sent.`);
  return message.confirmationId;
};

/** Everything at once: four requests, then two values, two replies and a provider's word. */
async function everythingAtOnce(told: Told): Promise<void> {
  await Promise.all(['sms-token', 'email-token', 'whatsapp-2fa', 'sms-2fa'].map((name) => told.request(flow(name))));
  const [sms, email] = [flow('sms-token'), flow('email-token')];
  await Promise.all([
    told.answer(sms, codeOf(sms, told.id, confirmationOf(told, 'sms-token'))),
    told.answer(email, codeOf(email, told.id, confirmationOf(told, 'email-token'))),
    told.reply(confirmationOf(told, 'whatsapp-2fa'), { option: 1 }),
    told.progress(`${confirmationOf(told, 'sms-2fa')}.1`, 'delivered'),
    told.reply(confirmationOf(told, 'sms-2fa'), { text: 'sim' }),
  ]);
}

// Without the turn-taking in Life, one of eight of these histories does not replay. On the real server: the time-skipping
// one does not keep the SDK's flags, and then even sound histories may not replay.
test('concurrent commands replay, and the record equals the state of the workflow', async () => {
  const world = await World.open('real');
  const tolds = [];
  for (let round = 0; round < 30; round += 1) {
    const told = await world.transaction();
    await everythingAtOnce(told);
    tolds.push(told);
  }
  for (const told of tolds) {
    await replay(await told.history());
    const kept = world.activities.records.get(told.id);
    expect(kept && world.viewOf(kept, await world.now())).toEqual(await told.view());
    expect(new Set(told.messages().map((message) => message.sendId)).size).toBe(told.messages().length);
  }
  await world.close();
});

test('of many concurrent correct codes, one is Valid and the others are Used', async () => {
  const told = await world.transaction();
  const sms = flow('sms-token');
  await told.request(sms);
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      told.answer(sms, told.code(sms)).then(
        ({ status }) => status,
        (error: { cause: { details: [{ answer: { status: string } }] } }) => error.cause.details[0].answer.status,
      ),
    ),
  );
  expect(outcomes.sort()).toEqual([...Array<string>(7).fill('Used'), 'Valid']);
  expect((await told.view()).scores).toHaveLength(2);
});

test('of many concurrent wrong codes, no more are evaluated than the token allows', async () => {
  const told = await world.transaction();
  const sms = flow('sms-token');
  await told.request(sms);
  const wrong = told.code(sms).replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  const outcomes = await Promise.all(
    Array.from({ length: 9 }, () =>
      told.answer(sms, wrong).then(
        ({ status }) => status,
        () => 'refused',
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'Invalid')).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome === 'Blocked')).toHaveLength(1);
  expect(world.activities.records.get(told.id)?.attemptsUsed).toBe(5);
});

test('a phone without attempts left blocks even the correct code', async () => {
  const told = await world.transaction();
  const sms = flow('sms-token');
  await told.request(sms);
  world.activities.grantsGuesses = false;
  const answer = await told.answer(sms, told.code(sms));
  world.activities.grantsGuesses = true;
  expect(answer.status).toBe('Blocked');
  expect((await told.view()).smsToken?.status).toBe('Blocked');
  expect((await told.view()).scores).toHaveLength(1);
});
