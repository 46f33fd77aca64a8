import { randomUUID } from 'node:crypto';
import { limits } from '../../domain/limits';
import { smsToken } from '../../flows/confirmations';
import { World } from '../support/world';

// On the real server, whose way of handing a run over to the next is the one that counts.
test('a long history goes on in a new run: timers, remembered answers and all', async () => {
  const world = await World.open('real');
  const told = await world.transaction();
  const id = `key:${randomUUID()}`;
  const first = await told.request(smsToken, id);
  const code = told.code(smsToken);
  const { runId } = await told.handle.describe();
  for (let burst = 0; burst < limits.historyEvents / 100; burst += 1) {
    await Promise.all(Array.from({ length: 100 }, () => told.progress('nothing.1', 'sent')));
    // Lets the workflow take them, as it would while a provider reports over hours.
    await told.view();
  }
  const current = world.rejoin(told);
  await current.view();
  expect((await current.handle.describe()).runId).not.toBe(runId);
  expect(await current.request(smsToken, id)).toEqual(first);
  expect(told.messages()).toHaveLength(1);
  expect((await current.answer(smsToken, code)).answer.status).toBe('Valid');
  await world.close();
});

test('an open biometrics link goes on in a new run, and ends there in time', async () => {
  const world = await World.open('real');
  const told = await world.transaction();
  await world.assessed(told);
  await told.link('a', { expiresAfterMs: 20_000 });
  await told.step('a', 'mine', { step: 'open' });
  const { runId } = await told.handle.describe();
  for (let burst = 0; burst < limits.historyEvents / 100; burst += 1) {
    await Promise.all(Array.from({ length: 100 }, () => told.progress('nothing.1', 'sent')));
    await told.view();
  }
  const current = world.rejoin(told);
  await current.view();
  expect((await current.handle.describe()).runId).not.toBe(runId);
  const statusNow = () => world.activities.records.get(told.id)?.biometrics?.[0]?.status;
  expect(statusNow()).toBe('InProgress');
  await current.step('a', 'mine', { step: 'consent' });
  while (statusNow() === 'InProgress') await new Promise((resolve) => setTimeout(resolve, 200));
  expect(statusNow()).toBe('Abandoned');
  await world.close();
});
