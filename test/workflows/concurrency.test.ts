import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmationSettings } from '../../domain/confirmations/settings';
import { confirmations } from '../../flows/confirmations';
import * as contract from '../../workflows/contract/commands';
import { codeOf } from '../support/build';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

let world: World;
// This world uses the real Temporal server, which does not skip time, so its clock agrees with the clock of this test.
let realWorld: World;
beforeAll(async () => {
  [world, realWorld] = await Promise.all([World.open(), World.open('temporal')]);
});
afterAll(() => Promise.all([world.close(), realWorld.close()]));

const settingsOf = (name: string): ConfirmationSettings => {
  const settings = confirmations.find((candidate) => candidate.name === name);
  if (!settings) throw new Error(`There are no confirmation settings ${name}.`);
  return settings;
};

const confirmationIdOf = (transaction: TestTransaction, name: string): string => {
  const message = transaction.messages().find((sent) => sent.settings.name === name);
  if (!message) throw new Error(`No message of ${name} was sent.`);
  return message.confirmationOrLinkId;
};

async function runConcurrently(transaction: TestTransaction): Promise<void> {
  await Promise.all(
    ['sms-token', 'email-token', 'whatsapp-2fa', 'sms-2fa'].map((name) => transaction.request(settingsOf(name))),
  );
  const [sms, email] = [settingsOf('sms-token'), settingsOf('email-token')];
  await Promise.all([
    transaction.answer(sms, codeOf(sms, transaction.id, confirmationIdOf(transaction, 'sms-token'))),
    transaction.answer(email, codeOf(email, transaction.id, confirmationIdOf(transaction, 'email-token'))),
    transaction.reply(confirmationIdOf(transaction, 'whatsapp-2fa'), { option: 1 }),
    transaction.sendDeliveryStatus(`${confirmationIdOf(transaction, 'sms-2fa')}.1`, 'delivered'),
    transaction.reply(confirmationIdOf(transaction, 'sms-2fa'), { text: 'sim' }),
  ]);
}

// When Temporal replays a history, the code of the workflow must make the same decisions again. Without the lock that lets the workflow run
// only one command at a time, the replay of about one in eight of these histories failed. The test uses the real server: the time-skipping
// server does not save the flags of the SDK, so the replay of some correct histories fails.
test('the histories of concurrent commands replay, and the records equal the views of the workflows', async () => {
  const transactions = [];
  for (let round = 0; round < 30; round += 1) {
    const transaction = await realWorld.createTransaction();
    await runConcurrently(transaction);
    transactions.push(transaction);
  }
  for (const transaction of transactions) {
    await replay(await transaction.fetchHistory());
    const record = realWorld.activities.records.get(transaction.id);
    expect(record && realWorld.viewOf(record, await realWorld.now())).toEqual(await transaction.readView());
    expect(new Set(transaction.messages().map((message) => message.sendId)).size).toBe(transaction.messages().length);
  }
});

test('a reply has the time of its arrival, even if it must wait until an earlier change is saved', async () => {
  const transaction = await realWorld.createTransaction();
  await realWorld.waitForAssessment(transaction);
  await transaction.request(settingsOf('sms-2fa'));
  realWorld.activities.savesToFail = 1_000;
  const [analysis, reply] = await Promise.all([
    transaction.handle.startUpdate(contract.analyse, {
      args: [{ analysis: 'scores' }, { fingerprint: 'f', rememberResponse: false }],
      waitForStage: 'ACCEPTED',
    }),
    sleep(1_000).then(() =>
      transaction.handle.startUpdate(contract.replyToConfirmation, {
        args: [
          { confirmationId: confirmationIdOf(transaction, 'sms-2fa'), reply: { option: 1 } },
          { fingerprint: 'f', rememberResponse: false },
        ],
        waitForStage: 'ACCEPTED',
      }),
    ),
  ]);
  const savesWorkAgainAt = new Date().toISOString();
  realWorld.activities.savesToFail = 0;
  await Promise.all([analysis.result(), reply.result()]);
  const [confirmation] = (await transaction.readState()).confirmations;
  expect(confirmation?.status).toBe('Replied');
  expect((confirmation?.repliedAt ?? '') < savesWorkAgainAt).toBe(true);
  await replay(await transaction.fetchHistory());
});

test('if the right code arrives many times at once, one attempt is Valid and the others are Used', async () => {
  const transaction = await world.createTransaction();
  const sms = settingsOf('sms-token');
  await transaction.request(sms);
  const statuses = await Promise.all(
    Array.from({ length: 8 }, () =>
      transaction.answer(sms, transaction.codeOfLastMessage(sms)).then(
        ({ status }) => status,
        (error: { cause: { details: [{ about: { status: string } }] } }) => error.cause.details[0].about.status,
      ),
    ),
  );
  expect(statuses.sort()).toEqual([...Array<string>(7).fill('Used'), 'Valid']);
  expect((await transaction.readView()).scores).toHaveLength(2);
});

test('if nine wrong codes arrive at once, only five count as attempts, because the token allows five', async () => {
  const transaction = await world.createTransaction();
  const sms = settingsOf('sms-token');
  await transaction.request(sms);
  const wrongCode = transaction.codeOfLastMessage(sms).replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  const statuses = await Promise.all(
    Array.from({ length: 9 }, () =>
      transaction.answer(sms, wrongCode).then(
        ({ status }) => status,
        () => 'refused',
      ),
    ),
  );
  expect(statuses.filter((status) => status === 'Invalid')).toHaveLength(4);
  expect(statuses.filter((status) => status === 'Blocked')).toHaveLength(1);
  expect(world.activities.records.get(transaction.id)?.attemptsUsed).toBe(5);
});

test('if a phone has no attempts left, even the right code is Blocked', async () => {
  const transaction = await world.createTransaction();
  const sms = settingsOf('sms-token');
  await transaction.request(sms);
  world.activities.destinationHasAttemptsLeft = false;
  const answer = await transaction.answer(sms, transaction.codeOfLastMessage(sms));
  world.activities.destinationHasAttemptsLeft = true;
  expect(answer.status).toBe('Blocked');
  expect((await transaction.readView()).smsToken?.status).toBe('Blocked');
  expect((await transaction.readView()).scores).toHaveLength(1);
});
