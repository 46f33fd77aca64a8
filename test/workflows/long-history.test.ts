import { randomUUID } from 'node:crypto';
import { limits } from '../../domain/limits';
import { smsToken } from '../../flows/sms-token.flow';
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
