import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { smsToken } from '../../flows/confirmations';
import type { RecordToSave } from '../../workflows/contract/activities';
import { replay } from '../support/replay';
import { rejectionOf } from '../support/rejection-of';
import { waitUntil } from '../support/wait-until';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.close());

test('a change that cannot be saved is undone, its caller gets an error, and later changes work', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  const record = await transaction.readState();
  const code = transaction.codeOfLastMessage(smsToken);
  world.activities.savesToReject = 1;
  expect((await rejectionOf(transaction.answer(smsToken, code))).type).toBe('RecordNotSaved');
  expect(await transaction.readState()).toEqual(record);
  expect(await transaction.readView()).toEqual(world.viewOf(record, await world.now()));
  const { runId } = await transaction.handle.describe();
  const current = world.reconnect(transaction);
  await waitUntil(async () => (await current.handle.describe()).runId !== runId, 20_000);
  expect(await current.answer(smsToken, code)).toMatchObject({ status: 'Valid' });
  await replay(await current.fetchHistory());
}, 30_000);

test('a pending message with a link is sent by the next workflow run', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.deliveryResultFor = () => 'outage';
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  const link = await transaction.requestLink('a', { channels: ['sms'], messages: { sms: text } });
  expect(link.sends).toMatchObject([{ state: 'pending' }]);
  const { runId } = await transaction.handle.describe();
  const current = world.reconnect(transaction);
  world.activities.savesToReject = 1;
  expect((await rejectionOf(transaction.sendPageAction('a', 'mine', { action: 'open' }))).type).toBe('RecordNotSaved');
  await waitUntil(async () => (await current.handle.describe()).runId !== runId, 20_000);
  world.activities.deliveryResultFor = () => undefined;
  const readSends = async () => (await transaction.readState()).biometrics?.[0]?.sends;
  await waitUntil(async () => (await readSends())?.[0]?.state === 'accepted');
  expect(await readSends()).toEqual([{ id: 'a.sms', channel: 'sms', state: 'accepted' }]);
  expect(transaction.messages().map(({ sendId, message }) => [sendId, message])).toEqual([
    ['a.sms', { body: '{{link}}' }],
  ]);
  await replay(await current.fetchHistory());
});

test('a timer whose change cannot be saved waits before it tries again', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request({ ...smsToken, expiresAfterMs: 1_500 });
  const saves = 1_000;
  world.activities.savesToReject = saves;
  await waitUntil(() => world.activities.savesToReject < saves);
  // Without a pause, workflow runs follow each other, and each tries again at once.
  await pause(2_000);
  expect(world.activities.savesToReject).toBe(saves - 1);
  world.activities.savesToReject = 0;
  await waitUntil(async () => (await transaction.readState()).confirmations[0]?.status === 'Expired');
});

test('an attempt is saved with one state, and only the differences for a rejected attempt', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  const attempts: RecordToSave['attempt'][] = [];
  world.activities.beforeSaving = async (_, attempt) => void attempts.push(attempt);
  await transaction.answer(smsToken, '000000');
  world.activities.beforeSaving = async () => undefined;
  const [attempt] = attempts;
  const names = Object.keys(attempt?.stateIfRejected ?? {});
  expect(names).toContain('confirmations');
  expect(names).not.toEqual(expect.arrayContaining(['input']));
  expect(names).not.toEqual(expect.arrayContaining(['evidence']));
});

test('the record has the response to a send, even if a delivery status arrived before it', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  let releaseProvider = (): void => undefined;
  world.activities.providerReady = new Promise((resolve) => (releaseProvider = resolve));
  const request = transaction.request(smsToken, `key:${randomUUID()}`);
  const [attempt] = await waitUntil(() => {
    const attempts = world.activities.deliveryAttempts.filter((one) => one.transactionId === transaction.id);
    return attempts.length > 0 ? attempts : undefined;
  });
  // The provider calls back before it answers the request. So the answer changes nothing.
  await transaction.sendDeliveryStatus(attempt?.sendId ?? '', 'sent');
  const readRecord = () => world.activities.records.get(transaction.id);
  await waitUntil(() => readRecord()?.confirmations[0]?.sends[0]?.state === 'accepted');
  releaseProvider();
  const output = await request;
  expect(readRecord()?.responses).toMatchObject([{ response: { output } }]);
});
