import { randomUUID } from 'node:crypto';
import { ProviderEventProcessor } from '../../../api/providers/provider-event-processor';
import { type DecisionEvent, saveProviderEvent } from '../../../store/messages/provider-events.sql';
import { hasOptedOut } from '../../support/opted-out';
import { waitUntil } from '../../support/wait-until';
import { BiometricsWorld } from '../biometrics/biometrics-world';

let world: BiometricsWorld;
let processor: ProviderEventProcessor;
beforeAll(async () => {
  world = await BiometricsWorld.open();
  processor = new ProviderEventProcessor(world.api.dependencies);
});
afterAll(async () => {
  await processor.stop();
  await world.close();
});

/** Saves an event, and returns when the API has processed it once. */
async function processOnce(event: { kind: string }): Promise<{ isDone: boolean }> {
  const { pool, dayKeys } = world.api.dependencies;
  const id = randomUUID();
  await saveProviderEvent(pool, dayKeys, id, event);
  processor.runNow();
  const sql = `select done_at is not null as "isDone" from provider_events
    where event_id = $1 and (done_at is not null or attempts > 0 and next_attempt_at < now() + interval '10 seconds')`;
  // The lease of an event that is being processed is longer than the pause after its first attempt.
  return waitUntil(async () => (await pool.query<{ isDone: boolean }>(sql, [id])).rows[0]);
}

const decisionOn = (
  { id, linkId }: { id: string; linkId: string },
  status: 'Approved' | 'Rejected',
): DecisionEvent => ({
  kind: 'decision',
  target: { tenant: 'local', id },
  decision: { biometricsId: linkId, status, by: 'reviewer-1', reason: 'seen' },
});

const linkOf = ({ id }: { id: string }) => world.api.transactions.states.get(`local/${id}`)?.biometrics?.[0];

test('a decision that arrives as an event decides on the images, and a later one changes nothing', async () => {
  const submitted = await world.submitAll();
  expect(await processOnce(decisionOn(submitted, 'Approved'))).toEqual({ isDone: true });
  expect(linkOf(submitted)).toMatchObject({ status: 'Approved', decision: { by: 'reviewer-1', reason: 'seen' } });
  expect(await processOnce(decisionOn(submitted, 'Rejected'))).toEqual({ isDone: true });
  expect(linkOf(submitted)?.status).toBe('Approved');
});

test('a decision on images of an unknown transaction is closed', async () => {
  expect(await processOnce(decisionOn({ id: randomUUID(), linkId: randomUUID() }, 'Approved'))).toEqual({
    isDone: true,
  });
});

test('an event of an unknown kind waits for a process that knows it, and counts as no reply', async () => {
  const letter = { kind: 'letter', channel: 'sms', senders: ['sender'], text: 'STOP' };
  expect(await processOnce(letter)).toEqual({ isDone: false });
  expect(await hasOptedOut(world.api.dependencies.pool, 'sender', 'sms')).toBe(false);
});

test('the reviewers are told of images when they are submitted, and again when the browser repeats this', async () => {
  const told: string[] = [];
  world.api.dependencies.requestReview = async ({ tenant, id }, linkId) => void told.push(`${tenant}/${id} ${linkId}`);
  const { id, linkId, browser } = await world.captureAll();
  expect(told).toEqual([]);
  await browser.post('/submit');
  await browser.post('/submit');
  expect(told).toEqual([`local/${id} ${linkId}`, `local/${id} ${linkId}`]);
});
