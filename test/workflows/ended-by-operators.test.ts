import { setTimeout as pause } from 'node:timers/promises';
import { isOpen } from '../../domain/confirmations/confirmation';
import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { searchAttributes } from '../../workflows/contract/start';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

// The tests use the real server, because the time-skipping server loses ended workflows.
let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
// After a failed test, a simulated outage could also make the next tests fail.
afterEach(() => {
  world.activities.savesToFail = 0;
  world.activities.deliveryResults.length = 0;
});
afterAll(() => world.close());

const waitFlow: FlowDefinition = {
  name: 'wait-for-it',
  version: 1,
  start: 'pause',
  steps: { pause: { kind: 'wait', seconds: 3, then: 'end' }, end: { kind: 'outcome', outcome: 'Done' } },
};

const { flowOutcome } = searchAttributes;

/** The outcome of each flow run, or its status if it has no outcome. */
const runOutcomesOf = async (transaction: TestTransaction) =>
  (await transaction.readState()).runs?.map(({ outcome, status }) => outcome ?? status);
const statusOf = async (transaction: TestTransaction) =>
  (await world.reconnect(transaction).handle.describe()).status.name;

const longWaitFlow: FlowDefinition = {
  ...waitFlow,
  steps: { ...waitFlow.steps, pause: { kind: 'wait', seconds: 3_600, then: 'end' } },
};

/** Fails after a minute, because the condition is normally true much earlier. */
async function expectEventually(condition: () => Promise<boolean>): Promise<void> {
  for (const deadlineMs = Date.now() + 60_000; !(await condition()) && Date.now() < deadlineMs; ) await pause(100);
  expect(await condition()).toBe(true);
}

test('if an operator cancels a transaction, its flow runs are canceled and saved, and the transaction can be resumed', async () => {
  const transaction = await world.createTransaction();
  const [codeRun, waitRun] = [await transaction.startFlow(smsTokenFlow), await transaction.startFlow(longWaitFlow)];
  await transaction.handle.cancel();
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  const { runs = [], confirmations } = await transaction.readState();
  expect(runs.map(({ id, status, path }) => [id, status, path.at(-1)?.exit, path.at(-1)?.reason])).toEqual(
    [codeRun, waitRun].map(({ runId }) => [runId, 'Canceled', 'Canceled', 'EndedByOperator']),
  );
  expect(confirmations.filter(isOpen)).toEqual([]);
  await replay(await transaction.fetchHistory());
  await world.resumeByRequest(transaction, emailToken);
  expect((await transaction.readState()).confirmations.map(({ status }) => status)).toEqual(['Expired', 'Waiting']);
});

test('if a flow run ends just before an operator cancels the transaction, the flow run is saved with its outcome', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.startFlow({
    ...waitFlow,
    steps: { ...waitFlow.steps, pause: { kind: 'wait', seconds: 1, then: 'end' } },
  });
  world.activities.savesToFail = 1_000;
  await expectEventually(
    async () => (await transaction.handle.describe()).typedSearchAttributes.get(flowOutcome) === 'Done',
  );
  await transaction.handle.cancel();
  await pause(500);
  world.activities.savesToFail = 0;
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runOutcomesOf(transaction)).toEqual(['Done']);
  await replay(await transaction.fetchHistory());
});

test('a waiting caller gets a response before the cancel ends the workflow, and no workflow task fails', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const { runId } = await transaction.startFlow(longWaitFlow);
  world.activities.savesToFail = 1_000;
  const pendingUpdate = transaction.cancelFlow(runId);
  const countActivities = async () => (await transaction.handle.describe()).raw.pendingActivities?.length;
  // The response waits until an activity has saved the record. Until then, the activity is repeated.
  await expectEventually(async () => (await countActivities()) === 1);
  await transaction.handle.cancel();
  await pause(500);
  world.activities.savesToFail = 0;
  expect((await pendingUpdate).status).toBe('Canceled');
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runOutcomesOf(transaction)).toEqual(['Canceled']);
  const history = await transaction.fetchHistory();
  // If the workflow sent a response after its own end, Temporal would reject the workflow task.
  const failedTasks = (history.events ?? []).filter((event) => event.workflowTaskFailedEventAttributes);
  expect(failedTasks).toEqual([]);
  await replay(history);
});

test('if an operator cancels a transaction during a request for a code, the caller gets a response, and the code stays open', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.savesToFail = 1_000;
  const pendingUpdate = transaction.request(emailToken);
  await expectEventually(async () => transaction.messages().length === 1);
  await transaction.handle.cancel();
  await pause(500);
  world.activities.savesToFail = 0;
  expect((await pendingUpdate).status).toBe('Waiting');
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.readState()).confirmations.map(({ status }) => status)).toEqual(['Waiting']);
  await replay(await transaction.fetchHistory());
});

test('if a command arrives while a canceled transaction saves its record, the caller gets a response and the change is saved', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.savesToFail = 1_000;
  await transaction.handle.cancel();
  await expectEventually(async () => (await transaction.handle.describe()).raw.pendingActivities?.length === 1);
  const pendingUpdate = transaction.request(emailToken);
  await pause(300);
  world.activities.savesToFail = 0;
  expect((await pendingUpdate).status).toBe('Waiting');
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.readState()).confirmations.map(({ status }) => status)).toEqual(['Waiting']);
  await replay(await transaction.fetchHistory());
});

test('if a flow run starts while a canceled transaction still answers another caller, the flow run is canceled too', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  let respond: () => void = () => undefined;
  world.activities.providerReady = new Promise((resolve) => (respond = resolve));
  const countBefore = world.activities.deliveryAttempts.length;
  const pendingUpdate = transaction.request(emailToken);
  await expectEventually(async () => world.activities.deliveryAttempts.length > countBefore);
  await transaction.handle.cancel();
  await pause(300);
  const pendingStart = transaction.startFlow(longWaitFlow);
  await pause(300);
  respond();
  expect((await pendingStart).status).toBe('Canceled');
  expect((await pendingUpdate).status).toBe('Waiting');
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runOutcomesOf(transaction)).toEqual(['Canceled']);
  await replay(await transaction.fetchHistory());
});

test('a canceled transaction saves the response to its last command, so that a repeat gets the same response', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(emailToken);
  await transaction.handle.cancel();
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.readState()).responses).toHaveLength(1);
  await replay(await transaction.fetchHistory());
});

test('a canceled transaction ends without waiting for a message that is retried, and a later request resumes it', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push(...Array<'outage'>(100).fill('outage'));
  await transaction.request(emailToken);
  await transaction.handle.cancel();
  await expectEventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  world.activities.deliveryResults.length = 0;
  const resumed = await world.resumeByRequest(transaction, smsToken);
  await expectEventually(async () => transaction.messages().length === 2);
  expect(await resumed.answer(emailToken, transaction.codeOf(emailToken))).toMatchObject({ status: 'Valid' });
});
