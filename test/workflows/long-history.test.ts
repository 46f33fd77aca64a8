import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { smsToken } from '../../flows/confirmations';
import { emailSecondFactorFlow } from '../../flows/email-2fa.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { codeOf } from '../support/build';
import { endForUpgrade } from '../../workflows/contract/commands';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { replay } from '../support/replay';
import { waitUntil } from '../support/wait-until';
import { type TestTransaction, World } from '../support/world';

/** The maximum number of signals that `continueInNewRun` sends. Each is an event, and a new workflow run starts after far fewer. */
const eventsMax = 2_000;

/** Fills the history until the transaction continues in a new workflow run. Returns the transaction in that run. */
async function continueInNewRun(world: World, transaction: TestTransaction): Promise<TestTransaction> {
  const readRunId = async () => (await transaction.handle.describe()).runId;
  const runId = await readRunId();
  const unknownSendIds = Array.from({ length: 50 }, () => 'nothing.1');
  for (let events = 0; events < eventsMax && (await readRunId()) === runId; events += unknownSendIds.length) {
    await Promise.all(unknownSendIds.map((sendId) => transaction.sendDeliveryStatus(sendId, 'sent')));
    // Waits until the workflow has read the signals. On a busy machine, a query can end before a worker gets it.
    await transaction.readView().catch(() => undefined);
  }
  const current = world.reconnect(transaction);
  await waitUntil(() => current.readView().catch(() => undefined));
  expect(await readRunId()).not.toBe(runId);
  return current;
}

// A new workflow run continues the transaction with an empty history. `temporal-short` suggests one after 150 events.
test('a transaction with a long history continues in a new workflow run, with its saved results and open codes', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  const id = `key:${randomUUID()}`;
  const first = await transaction.request(smsToken, id);
  const code = transaction.codeOfLastMessage(smsToken);
  const current = await continueInNewRun(world, transaction);
  expect(await current.request(smsToken, id)).toEqual(first);
  expect(transaction.messages()).toHaveLength(1);
  expect((await current.answer(smsToken, code)).status).toBe('Valid');
  await world.close();
});

test('a new workflow run starts at 500 events, long before the server suggests one', async () => {
  const world = await World.open('temporal');
  const transaction = await world.createTransaction();
  const { runId } = await transaction.handle.describe();
  await continueInNewRun(world, transaction);
  const ended = await world.env.client.workflow.getHandle(transaction.handle.workflowId, runId).describe();
  expect(ended.status.name).toBe('CONTINUED_AS_NEW');
  expect(ended.historyLength).toBeGreaterThanOrEqual(500);
  // The last signals, and the tasks that they take, can follow.
  expect(ended.historyLength).toBeLessThan(700);
  await world.close();
});

test('a message that no provider accepts does not keep the next workflow run from starting, and is sent once later', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  let isDown = true;
  world.activities.deliveryResultFor = () => (isDown ? 'outage' : 'accept');
  await transaction.request(smsToken);
  const current = await continueInNewRun(world, transaction);
  expect((await current.readState()).confirmations[0]?.sends).toMatchObject([{ state: 'pending' }]);
  isDown = false;
  await waitUntil(() => transaction.messages().length > 0);
  expect((await current.answer(smsToken, transaction.codeOfLastMessage(smsToken))).status).toBe('Valid');
  expect(transaction.messages()).toHaveLength(1);
  await world.close();
});

test('a link that no provider accepts does not keep the next workflow run from starting, and is sent once later', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  let isDown = true;
  world.activities.deliveryResultFor = () => (isDown ? 'outage' : 'accept');
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  await transaction.requestLink('a', { channels: ['sms'], messages: { sms: text } });
  await continueInNewRun(world, transaction);
  isDown = false;
  await waitUntil(() => transaction.messages().length > 0);
  const readSends = () => world.activities.records.get(transaction.id)?.biometrics?.[0]?.sends;
  await waitUntil(() => readSends()?.every(({ state }) => state === 'accepted'));
  expect(transaction.messages()).toHaveLength(1);
  await world.close();
});

test('a face verifier that does not answer does not keep the next workflow run from starting, which asks it again', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  let answer = (): void => undefined;
  world.activities.verifierReady = new Promise((resolve) => (answer = resolve));
  await transaction.requestLink('a', { facePolicy: {} });
  await transaction.submitImages('a');
  await waitUntil(() => world.activities.imagesSentToVerifier.length > 0);
  await continueInNewRun(world, transaction);
  answer();
  await waitUntil(() => world.activities.records.get(transaction.id)?.biometrics?.[0]?.verifiedAt);
  await world.close();
});

test('the response of the last command before the switch is in the last record', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const { runId } = await transaction.handle.describe();
  const current = world.reconnect(transaction);
  const hasSwitched = async () => (await current.handle.describe()).runId !== runId;
  let last = '';
  for (let index = 0; index < 50 && !(await hasSwitched()); index += 1) {
    last = `key:${randomUUID()}`;
    await current.analyse('scores', last);
  }
  expect(await hasSwitched()).toBe(true);
  await current.handle.signal(endForUpgrade);
  await waitUntil(async () => (await current.handle.describe()).status.name === 'COMPLETED');
  expect(world.activities.records.get(transaction.id)?.responses.at(-1)).toMatchObject({ keyPart: last });
  await world.close();
});

/**
 * Opens a link on its page, and continues its transaction in a new workflow run. `isOpen`: whether the person could give consent there. If
 * not, the lifetime of the link was over.
 */
async function continueWithOpenLink(world: World, expiresAfterMs: number) {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.requestLink('a', { expiresAfterMs });
  await transaction.sendPageAction('a', 'mine', { action: 'open' }).catch(() => undefined);
  const current = await continueInNewRun(world, transaction);
  const readStatus = () => world.activities.records.get(transaction.id)?.biometrics?.[0]?.status;
  const consent = await current.sendPageAction('a', 'mine', { action: 'consent' }).catch(() => undefined);
  return { readStatus, isOpen: consent?.status === 'InProgress' };
}

test('an open biometrics link continues in a new workflow run, and is Abandoned at the end of its lifetime', async () => {
  const world = await World.open('temporal-short');
  // The new run must start within the lifetime of the link, so a slow machine needs a longer one.
  for (let lifetimeMs = 5_000; lifetimeMs < 200_000; lifetimeMs *= 2) {
    const { isOpen, readStatus } = await continueWithOpenLink(world, lifetimeMs);
    if (!isOpen) continue;
    await waitUntil(() => readStatus() !== 'InProgress', 2 * lifetimeMs + 60_000);
    expect(readStatus()).toBe('Abandoned');
    return world.close();
  }
  throw new Error('No new workflow run started within the lifetime of a link.');
});

function flowWithOnly(name: string, step: Step): FlowDefinition {
  const serialized = JSON.stringify(step);
  const outcomes = Object.entries(flowWithEveryKind.steps).filter(
    ([end, { kind }]) => kind === 'outcome' && serialized.includes(`"${end}"`),
  );
  return { name: `only-${name}`, version: 1, start: name, steps: { [name]: step, ...Object.fromEntries(outcomes) } };
}

test('flow runs continue in a new workflow run, for every kind of step that waits', async () => {
  const world = await World.open('temporal-short');
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  let callerIsAway = true;
  world.activities.webhookResultFor = () => (callerIsAway ? 'outage' : 'accept');
  const { pictures, tell } = flowWithEveryKind.steps;
  if (pictures?.kind !== 'biometrics' || tell?.kind !== 'notify') throw new Error('The flow has different steps.');
  const flows = {
    code: smsTokenFlow,
    question: emailSecondFactorFlow,
    pictures: flowWithOnly('pictures', { ...pictures, exits: { ...pictures.exits, Approved: 'confirmed' } }),
    pause: flowWithOnly('pause', { kind: 'wait', seconds: 30, then: 'confirmed' }),
    tell: flowWithOnly('tell', { ...tell, exits: { Delivered: 'confirmed', Failed: 'denied' } }),
  };
  const ids = new Map<string, string>();
  for (const [name, flow] of Object.entries(flows)) ids.set(name, (await transaction.startFlow(flow)).runId);
  // The flow run with the pause may already have ended on a busy machine.
  const readWaitingRuns = async (one: TestTransaction) =>
    (await one.readState()).runs?.filter(({ id }) => id !== ids.get('pause'));
  const before = await readWaitingRuns(transaction);
  const current = await continueInNewRun(world, transaction);
  expect(await readWaitingRuns(current)).toEqual(before);

  callerIsAway = false;
  const { confirmations, biometrics } = await current.readState();
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
  const readOutcomes = async () => (await current.readState()).runs?.map(({ id, outcome }) => [id, outcome]);
  const expected = [...ids.values()].map((id) => [id, 'Confirmed']);
  const deadline = Date.now() + 60_000;
  while ((await readOutcomes())?.some(([, outcome]) => outcome === undefined) && Date.now() < deadline)
    await pause(200);
  expect(await readOutcomes()).toEqual(expected);
  const [pauseVisit] = (await current.readState()).runs?.find(({ id }) => id === ids.get('pause'))?.path ?? [];
  expect(Date.parse(pauseVisit?.leftAt ?? '') - Date.parse(pauseVisit?.enteredAt ?? '')).toBeGreaterThanOrEqual(30_000);
  expect(transaction.messages()).toHaveLength(2);
  expect(new Set(world.activities.notificationChecks.map(({ key }) => key)).size).toBe(1);
  await replay(await current.fetchHistory());
  await world.close();
});
