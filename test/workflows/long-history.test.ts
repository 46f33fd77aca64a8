import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { limits } from '../../domain/limits';
import { smsToken } from '../../flows/confirmations';
import { emailSecondFactorFlow } from '../../flows/email-2fa.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { codeOf } from '../support/build';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

const burstSize = 100;

/** Adds a burst of events to the history, like a provider that reports over hours. */
async function burst(transaction: TestTransaction): Promise<void> {
  await Promise.all(Array.from({ length: burstSize }, () => transaction.sendDeliveryStatus('nothing.1', 'sent')));
  await transaction.view();
}

/** Fills most of the history, so that the rest follows soon after what the test starts. */
async function fillMost(transaction: TestTransaction): Promise<void> {
  while ((await transaction.handle.describe()).historyLength < 0.75 * limits.historyEvents) await burst(transaction);
}

/** Fills the history until the transaction continues in a new run, and returns it there. */
async function inNewRun(world: World, transaction: TestTransaction): Promise<TestTransaction> {
  const runIdNow = async () => (await transaction.handle.describe()).runId;
  const runId = await runIdNow();
  for (let events = 0; events < limits.historyEvents && (await runIdNow()) === runId; events += burstSize)
    await burst(transaction);
  const current = world.reconnect(transaction);
  await current.view();
  expect(await runIdNow()).not.toBe(runId);
  return current;
}

// On the real server, because its handover between runs is the one that counts.
test('a long history continues in a new run, with timers and saved results', async () => {
  const world = await World.open('real');
  const transaction = await world.transaction();
  const id = `key:${randomUUID()}`;
  const first = await transaction.request(smsToken, id);
  const code = transaction.code(smsToken);
  const current = await inNewRun(world, transaction);
  expect(await current.request(smsToken, id)).toEqual(first);
  expect(transaction.messages()).toHaveLength(1);
  expect((await current.answer(smsToken, code)).status).toBe('Valid');
  await world.close();
});

test('an open biometrics link continues in a new run and expires in time', async () => {
  const world = await World.open('real');
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await fillMost(transaction);
  await transaction.link('a', { expiresAfterMs: 20_000 });
  await transaction.step('a', 'mine', { step: 'open' });
  const current = await inNewRun(world, transaction);
  const statusNow = () => world.activities.records.get(transaction.id)?.biometrics?.[0]?.status;
  expect(statusNow()).toBe('InProgress');
  await current.step('a', 'mine', { step: 'consent' });
  while (statusNow() === 'InProgress') await pause(200);
  expect(statusNow()).toBe('Abandoned');
  await world.close();
});

/** A flow with only this step and its outcomes. */
function alone(name: string, step: Step): FlowDefinition {
  const serialized = JSON.stringify(step);
  const ends = Object.entries(flowWithEveryKind.steps).filter(
    ([end, { kind }]) => kind === 'outcome' && serialized.includes(`"${end}"`),
  );
  return { name: `only-${name}`, version: 1, start: name, steps: { [name]: step, ...Object.fromEntries(ends) } };
}

test('flow runs continue in a new run, whatever their step waits for', async () => {
  const world = await World.open('real');
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await fillMost(transaction);
  let callerIsAway = true;
  world.activities.webhookResultFor = () => (callerIsAway ? 'outage' : 'accept');
  const { pictures, tell } = flowWithEveryKind.steps;
  if (pictures?.kind !== 'biometrics' || tell?.kind !== 'notify') throw new Error('The flow has different steps.');
  const flows = {
    code: smsTokenFlow,
    question: emailSecondFactorFlow,
    pictures: alone('pictures', { ...pictures, exits: { ...pictures.exits, Approved: 'confirmed' } }),
    pause: alone('pause', { kind: 'wait', seconds: 30, then: 'confirmed' }),
    tell: alone('tell', { ...tell, exits: { Delivered: 'confirmed', Failed: 'denied' } }),
  };
  const ids = new Map<string, string>();
  for (const [name, flow] of Object.entries(flows)) ids.set(name, (await transaction.startFlow(flow)).runId);
  // Only the wait may end meanwhile on a busy machine.
  const waiting = async (one: TestTransaction) => (await one.state()).runs?.filter(({ id }) => id !== ids.get('pause'));
  const before = await waiting(transaction);
  const current = await inNewRun(world, transaction);
  expect(await waiting(current)).toEqual(before);

  callerIsAway = false;
  const { confirmations, biometrics } = await current.state();
  const code = codeOf(
    smsToken,
    transaction.id,
    confirmations.find(({ settings }) => settings.channel === 'sms')?.id ?? '',
  );
  expect((await current.answerFlow(ids.get('code') ?? '', code)).answer.status).toBe('Valid');
  await current.reply(confirmations.find(({ settings }) => settings.channel === 'email')?.id ?? '', { option: 1 });
  const linkId = biometrics?.[0]?.id ?? '';
  await current.submitImages(linkId);
  await current.decide(linkId, 'Approved');
  const endsOf = async () => (await current.state()).runs?.map(({ id, outcome }) => [id, outcome]);
  const expected = [...ids.values()].map((id) => [id, 'Confirmed']);
  const givesUpAt = Date.now() + 60_000;
  while ((await endsOf())?.some(([, outcome]) => outcome === undefined) && Date.now() < givesUpAt) await pause(200);
  expect(await endsOf()).toEqual(expected);
  const [paused] = (await current.state()).runs?.find(({ id }) => id === ids.get('pause'))?.path ?? [];
  expect(Date.parse(paused?.leftAt ?? '') - Date.parse(paused?.enteredAt ?? '')).toBeGreaterThanOrEqual(30_000);
  expect(transaction.messages()).toHaveLength(2);
  expect(new Set(world.activities.callerEvents.map(({ id }) => id)).size).toBe(1);
  await replay(await current.history());
  await world.close();
});
