import { setTimeout as pause } from 'node:timers/promises';
import type { RunPlan } from '../../domain/flows/run';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import * as contract from '../../workflows/contract';
import { planOf } from '../support/flow-plan';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

// On the real server: the tests read a transaction while its message is being sent.
let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterEach(() => {
  answers();
  world.activities.providerReady = Promise.resolve();
});
afterAll(() => world.close());

let answers = () => {};

const { flow, flowStep, flowOutcome } = contract.searchAttributes;

const pauseSteps = {
  pause: { kind: 'wait', seconds: 60, then: 'end' },
  end: { kind: 'outcome', outcome: 'Done' },
} as const;

async function searchedBy(transaction: TestTransaction) {
  const { typedSearchAttributes } = await transaction.handle.describe();
  return [flow, flowStep, flowOutcome].map((key) => typedSearchAttributes.get(key) ?? null);
}

/** Starts a run whose message is not sent until `answer` is called. */
async function startSlowly(plan: (transaction: TestTransaction) => RunPlan) {
  let answer = () => {};
  answers = () => answer();
  world.activities.providerReady = new Promise((resolve) => {
    answer = resolve;
  });
  const transaction = await world.transaction();
  const before = world.activities.deliveryAttempts.length;
  const starting = transaction.startPlan(plan(transaction)).catch((error: Error) => error.name);
  for (const givesUpAt = Date.now() + 10_000; world.activities.deliveryAttempts.length === before; await pause(10))
    if (Date.now() > givesUpAt) throw new Error('No message was attempted.');
  return { transaction, starting, answer };
}

const upserts = async (transaction: TestTransaction) =>
  ((await transaction.history()).events ?? []).filter((event) => event.upsertWorkflowSearchAttributesEventAttributes);

test('search attributes of a run are written after its message, so that the message does not wait for them', async () => {
  const { transaction, starting, answer } = await startSlowly(({ id }) => planOf(smsTokenFlow, id));
  expect(await searchedBy(transaction)).toEqual([null, null, null]);
  answer();
  await starting;
  expect(await searchedBy(transaction)).toEqual(['sms-token', 'code', null]);
  expect(await upserts(transaction)).toHaveLength(1);
  await replay(await transaction.history());
});

test('a run without a message is searchable immediately, even during an outage of the database', async () => {
  const flow = { name: 'a-pause', version: 1, start: 'pause', steps: pauseSteps } as const;
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  world.activities.recordOutages = 1_000;
  const starting = transaction.startFlow(flow);
  for (const givesUpAt = Date.now() + 10_000; (await searchedBy(transaction))[0] !== 'a-pause'; await pause(50))
    if (Date.now() > givesUpAt) throw new Error('The run has no search attributes.');
  world.activities.recordOutages = 0;
  await starting;
  await replay(await transaction.history());
});

test('a run that an operator cancels before its message is searchable by its outcome', async () => {
  const { transaction, starting, answer } = await startSlowly(({ id }) => planOf(smsTokenFlow, id));
  await transaction.handle.cancel();
  await starting;
  answer();
  expect(await searchedBy(transaction)).toEqual(['sms-token', null, 'Canceled']);
  await replay(await transaction.history());
});

test('of concurrent runs, a running one is searchable before one that ended', async () => {
  const transaction = await world.transaction();
  const { runId } = await transaction.startFlow({ name: 'a-pause', version: 1, start: 'pause', steps: pauseSteps });
  const code = await transaction.startFlow(smsTokenFlow);
  expect(await searchedBy(transaction)).toEqual(['sms-token', 'code', null]);
  await transaction.cancelFlow(code.runId);
  expect(await searchedBy(transaction)).toEqual(['a-pause', 'pause', null]);
  await transaction.cancelFlow(runId);
  expect(await searchedBy(transaction)).toEqual(['sms-token', null, 'Canceled']);
  await replay(await transaction.history());
});
