import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { confirmations, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { searchAttributes } from '../../workflows/contract';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

/** Histories of releases. The current code must be able to continue each of them. */
const folder = path.join(__dirname, 'histories');
const recorded = readdirSync(folder).filter((file) => file.endsWith('.json'));
const load = (file: string): { events: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterAll(() => world.close());

/** Create, send, validate: the most common transaction. */
async function straightLine(): Promise<TestTransaction> {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  await transaction.answer(smsToken, transaction.code(smsToken));
  return transaction;
}

test.each(recorded)('%s replays', async (file) => {
  await expect(replay(load(file))).resolves.toBeUndefined();
});

test('there is a recorded history of every confirmation', () => {
  for (const { name } of confirmations) expect(recorded).toContain(`${name}.json`);
});

test('a link without a delivered message is searchable as Undeliverable, and its history replays', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  world.activities.deliveryResults.push('DestinationRefused');
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  await transaction.link('a', { channels: ['sms'], messages: { sms: text } });
  const { typedSearchAttributes } = await transaction.handle.describe();
  expect(typedSearchAttributes.get(searchAttributes.status)).toBe('Undeliverable');
  await transaction.request(smsToken);
  await expect(replay(await transaction.history())).resolves.toBeUndefined();
});

test('a history that the code would not write is rejected', async () => {
  const altered = load('sms-token.json');
  const scheduled = altered.events.filter((event) => 'activityTaskScheduledEventAttributes' in event).at(-1);
  if (!scheduled) throw new Error('The recorded history has no activity.');
  (scheduled['activityTaskScheduledEventAttributes'] as { activityType: { name: string } }).activityType.name =
    'assessTransaction';
  await expect(replay(altered)).rejects.toThrow(/[Nn]ondeterminism/);
});

test('the same with a flow needs at most 10 % more events', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  const { runId } = await transaction.startFlow(smsTokenFlow);
  await transaction.answerFlow(runId, transaction.code(smsToken));
  const count = (await transaction.history()).events?.length ?? 0;
  const plain = (await (await straightLine()).history()).events?.length ?? 0;
  console.log(`create, start, answer: ${count} events, ${plain} by the endpoints of the code`);
  expect(count).toBeLessThanOrEqual(plain * 1.1);
});

test('create, send, validate needs at most 32 events', async () => {
  const { events } = await (await straightLine()).history();
  const count = events?.length ?? 0;
  console.log(`create, send, validate: ${count} events`);
  expect(count).toBeLessThanOrEqual(32);
});
