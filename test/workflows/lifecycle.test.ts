import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../domain/transactions/limits';
import { smsSecondFactor, smsToken } from '../../flows/confirmations';
import { updateIdFor } from '../../workflows/contract/ids';
import { codeOf } from '../support/build';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

test('the caller gets a response during a provider outage, and the message is sent later', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage', 'outage', 'outage');
  const answer = await transaction.request(smsToken);
  expect(answer.status).toBe('Waiting');
  expect(transaction.messages()).toHaveLength(0);
  await world.env.sleep('20s');
  expect(transaction.messages()).toHaveLength(1);
  expect((await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).status).toBe('Valid');
  await replay(await transaction.fetchHistory());
});

test('a confirmation that expires during an outage fails, and its message is never sent', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push(...Array<'outage'>(100).fill('outage'));
  await transaction.request(smsToken);
  await world.env.sleep(smsToken.expiresAfterMs + 60_000);
  world.activities.deliveryResults.length = 0;
  await world.env.sleep('1h');
  expect((await transaction.readView()).smsToken?.status).toBe('Failed');
  expect(transaction.messages()).toHaveLength(0);
});

test('if the provider rejects a phone number, the request is rejected at once, and only the status in the view changes', async () => {
  const transaction = await world.createTransaction();
  const before = await transaction.readView();
  const countBefore = world.activities.deliveryAttempts.length;
  world.activities.deliveryResults.push('DestinationRefused');
  const rejection = await rejectionOf(transaction.request(smsToken));
  expect(rejection).toMatchObject({ type: 'DestinationRefused', details: { providerCode: '21211' } });
  expect(world.activities.deliveryAttempts).toHaveLength(countBefore + 1);
  expect((await transaction.readState()).rejectedSends).toMatchObject([
    { origin: 'sms-token', failureReason: 'DestinationRefused 21211' },
  ]);
  // The assessment may end between the two reads.
  const assessmentFields = { assessed: true, scores: [], ratings: [], insights: [], changedAt: '' };
  expect({ ...(await transaction.readView()), ...assessmentFields }).toEqual({
    ...before,
    ...assessmentFields,
    status: 'Undeliverable',
  });
  expect((await transaction.request(smsToken)).status).toBe('Waiting');
});

test('after the right code, a message with an unknown outcome is not sent again', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push(...Array<'outage'>(50).fill('outage'));
  await transaction.request(smsToken);
  const { confirmationOrLinkId: confirmationId } = world.activities.deliveryAttempts.at(-1) ?? {
    confirmationOrLinkId: '',
  };
  await transaction.answer(smsToken, codeOf(smsToken, transaction.id, confirmationId));
  await world.env.sleep('2m');
  world.activities.deliveryResults.length = 0;
  await world.env.sleep('10m');
  expect(transaction.messages()).toHaveLength(0);
  expect((await transaction.readView()).smsToken?.status).toBe('Valid');
});

test('during an outage of the database, a response waits until its change is saved, and no change is lost', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  world.activities.savesToFail = 6;
  expect((await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).status).toBe('Valid');
  world.activities.savesToFail = 6;
  await transaction.request(smsSecondFactor);
  world.activities.savesToFail = 6;
  await transaction.sendDeliveryStatus(transaction.lastMessage().sendId, 'delivered');
  await world.env.sleep('30s');
  expect((await transaction.handle.describe()).status.name).toBe('RUNNING');
  const record = world.activities.records.get(transaction.id);
  expect(record && world.viewOf(record, await world.now())).toEqual(await transaction.readView());
  expect((await transaction.readView()).smsMessages[0]?.status).toBe('Delivered');
});

test('a confirmation fails when the provider rejects its message after the response to the caller', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('outage', 'DestinationRefused');
  await transaction.request(smsSecondFactor);
  await world.env.sleep('10s');
  expect((await transaction.readView()).smsMessages.map(({ status }) => status)).toEqual(['Failed', 'Waiting']);
});

test('a repeat with the same update id returns the same result, and no message is sent again', async () => {
  const transaction = await world.createTransaction();
  const id = `key:${randomUUID()}`;
  const first = await transaction.request(smsToken, id);
  expect(await transaction.request(smsToken, id)).toEqual(first);
  expect(transaction.messages()).toHaveLength(1);
});

test('a second request with the same idempotency key waits for the first request, and gets its result', async () => {
  const transaction = await world.createTransaction();
  let acceptMessage = (): void => undefined;
  world.activities.providerReady = new Promise((resolve) => {
    acceptMessage = resolve;
  });
  const [first, repeat, another] = ['a', 'b', 'c'].map((what) => `key/${what}`);
  const pendingRequest = transaction.request(smsToken, first);
  while (world.activities.deliveryAttempts.at(-1)?.transactionId !== transaction.id) await pause(20);
  const pendingRepeat = transaction.request(smsToken, repeat);
  await pause(200);
  acceptMessage();
  world.activities.providerReady = Promise.resolve();
  expect(await pendingRepeat).toEqual(await pendingRequest);
  expect(await transaction.request(smsToken, another)).toEqual(await pendingRequest);
  expect(transaction.messages()).toHaveLength(1);
  await replay(await transaction.fetchHistory());
});

test('after ten minutes without changes, a transaction closes, and its record is complete', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  const view = await transaction.readView();
  await world.env.sleep(limits.idleMs + 60_000);
  expect((await transaction.handle.describe()).status.name).toBe('COMPLETED');
  const record = world.activities.records.get(transaction.id);
  expect(record && world.viewOf(record, await world.now())).toEqual(view);
  // While the code was open, the workflow had no other timer, so only the last one has fired.
  const events = (await transaction.fetchHistory()).events ?? [];
  expect(events.filter(({ timerFiredEventAttributes: fired }) => fired)).toHaveLength(1);
});

test('a transaction whose record is ahead does not close with its own state, and continues from the record', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  const state = await transaction.readState();
  const record = { ...state, version: state.version + 1, attemptsUsed: 3 };
  world.activities.records.set(transaction.id, record);
  await world.env.sleep(limits.idleMs + 60_000);
  expect(await transaction.readState()).toEqual(record);
  expect((await world.reconnect(transaction).handle.describe()).status.name).toBe('COMPLETED');
});

test('after a transaction resumes from its record, it accepts requests, and a code that was Valid before is now Used', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  const code = transaction.codeOfLastMessage(smsToken);
  await transaction.answer(smsToken, code);
  await world.env.sleep(limits.idleMs + 60_000);
  const resumed = await world.resumeByRequest(transaction, smsSecondFactor);
  expect((await resumed.readView()).smsMessages.at(-1)?.status).toBe('Waiting');
  const rejection = await rejectionOf(resumed.answer(smsToken, code));
  expect(rejection.details.about?.status).toBe('Used');
});

test('the response to an analysis with an idempotency key is in the record when the transaction closes', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const key = updateIdFor('analysis-key', 'digest');
  await transaction.analyse('scores', key);
  const { changedAt } = await transaction.readState();
  await world.env.sleep(limits.idleMs + 60_000);
  const { responses, changedAt: changedAtClose } = await transaction.readState();
  expect(responses.map(({ keyPart }) => keyPart)).toContain('analysis-key');
  expect(changedAtClose).toBe(changedAt);
});
