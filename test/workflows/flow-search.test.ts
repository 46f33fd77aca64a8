import { searchAttributes } from '../../workflows/contract/start';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunPlan } from '../../domain/flows/run';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { planOf } from '../support/flow-plan';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

// The tests use the real server, because they read a transaction while its message is being sent.
let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterEach(() => {
  acceptMessage();
  world.activities.providerReady = Promise.resolve();
});
afterAll(() => world.close());

/**
 * Lets the provider accept the message of the last `startSlowly`. Called after each test, so that a failed test does not block the next.
 */
let acceptMessage = () => {};

/** The fields by which operators find workflows in Temporal. */
const { flow, flowStep, flowOutcome } = searchAttributes;

const pauseSteps = {
  pause: { kind: 'wait', seconds: 60, then: 'end' },
  end: { kind: 'outcome', outcome: 'Done' },
} as const;

async function readSearchAttributes(transaction: TestTransaction) {
  const { typedSearchAttributes } = await transaction.handle.describe();
  return [flow, flowStep, flowOutcome].map((key) => typedSearchAttributes.get(key) ?? null);
}

/** Starts a flow run. The provider accepts its first message only when `accept` is called. */
async function startSlowly(plan: (transaction: TestTransaction) => RunPlan) {
  let accept = () => {};
  acceptMessage = () => accept();
  world.activities.providerReady = new Promise((resolve) => {
    accept = resolve;
  });
  const transaction = await world.createTransaction();
  const countBefore = world.activities.deliveryAttempts.length;
  const pendingStart = transaction.startPlan(plan(transaction)).catch((error: Error) => error.name);
  for (
    const deadlineMs = Date.now() + 10_000;
    world.activities.deliveryAttempts.length === countBefore;
    await pause(10)
  )
    if (Date.now() > deadlineMs) throw new Error('No message was attempted.');
  return { transaction, pendingStart, accept };
}

const readUpserts = async (transaction: TestTransaction) =>
  ((await transaction.fetchHistory()).events ?? []).filter(
    (event) => event.upsertWorkflowSearchAttributesEventAttributes,
  );

test('the search attributes of a flow run are written after its first message is sent', async () => {
  const { transaction, pendingStart, accept } = await startSlowly(({ id }) => planOf(smsTokenFlow, id));
  expect(await readSearchAttributes(transaction)).toEqual([null, null, null]);
  accept();
  await pendingStart;
  expect(await readSearchAttributes(transaction)).toEqual(['sms-token', 'code', null]);
  expect(await readUpserts(transaction)).toHaveLength(1);
  await replay(await transaction.fetchHistory());
});

test('a flow run without a message can be found immediately, even during an outage of the database', async () => {
  const pauseFlow = { name: 'a-pause', version: 1, start: 'pause', steps: pauseSteps } as const;
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.savesToFail = 1_000;
  const pendingStart = transaction.startFlow(pauseFlow);
  for (
    const deadlineMs = Date.now() + 10_000;
    (await readSearchAttributes(transaction))[0] !== 'a-pause';
    await pause(50)
  )
    if (Date.now() > deadlineMs) throw new Error('The run has no search attributes.');
  world.activities.savesToFail = 0;
  await pendingStart;
  await replay(await transaction.fetchHistory());
});

test('if an operator cancels a transaction before a flow run has sent a message, the flow run can be found by its outcome', async () => {
  const { transaction, pendingStart, accept } = await startSlowly(({ id }) => planOf(smsTokenFlow, id));
  await transaction.handle.cancel();
  await pendingStart;
  accept();
  expect(await readSearchAttributes(transaction)).toEqual(['sms-token', null, 'Canceled']);
  await replay(await transaction.fetchHistory());
});

test('if a transaction has several flow runs, its search attributes show an ended flow run only if no flow run is running', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow({ name: 'a-pause', version: 1, start: 'pause', steps: pauseSteps });
  const codeRun = await transaction.startFlow(smsTokenFlow);
  expect(await readSearchAttributes(transaction)).toEqual(['sms-token', 'code', null]);
  await transaction.cancelFlow(codeRun.runId);
  expect(await readSearchAttributes(transaction)).toEqual(['a-pause', 'pause', null]);
  await transaction.cancelFlow(runId);
  expect(await readSearchAttributes(transaction)).toEqual(['sms-token', null, 'Canceled']);
  await replay(await transaction.fetchHistory());
});
