import path from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { confirmations, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { searchAttributes } from '../../workflows/contract/start';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

/** Recorded histories, which the current code must be able to continue. */
const folder = path.join(__dirname, 'histories');
const recordedFiles = readdirSync(folder).filter((file) => file.endsWith('.json'));
const loadHistory = (file: string): { events: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.close());

/** Runs the most common transaction: create it, send a code, validate the code. */
async function runCommonTransaction(): Promise<TestTransaction> {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  return transaction;
}

test.each(recordedFiles)('the current code can continue a workflow with the history %s', async (file) => {
  await expect(replay(loadHistory(file))).resolves.toBeUndefined();
});

test('there is a recorded history of every confirmation', () => {
  for (const { name } of confirmations) expect(recordedFiles).toContain(`${name}.json`);
});

test('if the message with a link is rejected, operators see the transaction as Undeliverable, and its history replays', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.deliveryResults.push('DestinationRefused');
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  await transaction.requestLink('a', { channels: ['sms'], messages: { sms: text } });
  const { typedSearchAttributes } = await transaction.handle.describe();
  expect(typedSearchAttributes.get(searchAttributes.status)).toBe('Undeliverable');
  await transaction.request(smsToken);
  await expect(replay(await transaction.fetchHistory())).resolves.toBeUndefined();
});

test('the replay rejects a history that the workflow code cannot produce', async () => {
  const alteredHistory = loadHistory('sms-token.json');
  const scheduledEvent = alteredHistory.events
    .filter((event) => 'activityTaskScheduledEventAttributes' in event)
    .at(-1);
  if (!scheduledEvent) throw new Error('The recorded history has no activity.');
  (scheduledEvent['activityTaskScheduledEventAttributes'] as { activityType: { name: string } }).activityType.name =
    'assessTransaction';
  await expect(replay(alteredHistory)).rejects.toThrow(/[Nn]ondeterminism/);
});

test('a code in a flow needs at most 10 % more events in the history than a code of POST …/sms/tokens', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const { runId } = await transaction.startFlow(smsTokenFlow);
  await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  const count = (await transaction.fetchHistory()).events?.length ?? 0;
  const countOfEndpoints = (await (await runCommonTransaction()).fetchHistory()).events?.length ?? 0;
  console.log(`create, start, answer: ${count} events, ${countOfEndpoints} by the endpoints of the code`);
  expect(count).toBeLessThanOrEqual(countOfEndpoints * 1.1);
});

test('a transaction with one code (create, send, validate) needs at most 35 events in its history', async () => {
  const { events } = await (await runCommonTransaction()).fetchHistory();
  const count = events?.length ?? 0;
  console.log(`create, send, validate: ${count} events`);
  expect(count).toBeLessThanOrEqual(35);
});
