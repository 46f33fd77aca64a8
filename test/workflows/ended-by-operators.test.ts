import { setTimeout as pause } from 'node:timers/promises';
import { EndedTransactions } from '../../api/temporal/resume-ended';
import { isOpen } from '../../domain/confirmation';
import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { createLogger } from '../../platform/logger';
import { searchAttributes } from '../../workflows/contract';
import { LogLines } from '../support/log-lines';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { serviceError } from '../support/service-error';
import { type TestTransaction, World } from '../support/world';

// On the real server: the time-skipping one loses terminated workflows.
let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
// An outage of a failed test would make all other tests fail.
afterEach(() => {
  world.activities.recordOutages = 0;
  world.activities.deliveryResults.length = 0;
});
afterAll(() => world.close());

const wait: FlowDefinition = {
  name: 'wait-for-it',
  version: 1,
  start: 'pause',
  steps: { pause: { kind: 'wait', seconds: 3, then: 'end' }, end: { kind: 'outcome', outcome: 'Done' } },
};

const { flowOutcome } = searchAttributes;

const openChecks: EndedTransactions[] = [];
const log = new LogLines();
afterEach(() => {
  for (const ended of openChecks.splice(0)) ended.stop();
});

/** `faults`: the errors when the record of a transaction is read, by its id. */
function createEndedTransactions(errors: ReadonlyMap<string, Error> = new Map()): EndedTransactions {
  const reader = {
    state: async ({ id }: { id: string }) => {
      const error = errors.get(id);
      if (error) throw error;
      return world.activities.records.get(id);
    },
    link: async () => undefined,
    reviews: async () => [],
  };
  const { env, taskQueue } = world;
  const { client, connection } = env;
  const ended = new EndedTransactions({
    client,
    connection,
    taskQueue,
    reader,
    logger: createLogger('api', 'warn', log.stream),
  });
  openChecks.push(ended);
  return ended;
}

const runsOf = async (transaction: TestTransaction) =>
  (await transaction.state()).runs?.map(({ outcome, status }) => outcome ?? status);
const statusOf = async (transaction: TestTransaction) =>
  (await world.reconnect(transaction).handle.describe()).status.name;

/** A wait of an hour. */
const longWait: FlowDefinition = {
  ...wait,
  steps: { ...wait.steps, pause: { kind: 'wait', seconds: 3_600, then: 'end' } },
};

/** Waits until the condition is true, far longer than needed. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (const givesUpAt = Date.now() + 20_000; !(await condition()) && Date.now() < givesUpAt; ) await pause(100);
  expect(await condition()).toBe(true);
}

test('a canceled transaction cancels its flow runs, saves that, and can be resumed', async () => {
  const transaction = await world.transaction();
  const [code, time] = [await transaction.startFlow(smsTokenFlow), await transaction.startFlow(longWait)];
  await transaction.handle.cancel();
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  const { runs = [], confirmations } = await transaction.state();
  expect(runs.map(({ id, status, path }) => [id, status, path.at(-1)?.exit, path.at(-1)?.reason])).toEqual(
    [code, time].map(({ runId }) => [runId, 'Canceled', 'Canceled', 'EndedByOperator']),
  );
  expect(confirmations.filter(isOpen)).toEqual([]);
  await replay(await transaction.history());
  await world.resume(transaction, emailToken);
  expect((await transaction.state()).confirmations.map(({ status }) => status)).toEqual(['Expired', 'Waiting']);
});

test('a cancel saves a run that has just ended with its outcome', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await transaction.startFlow({ ...wait, steps: { ...wait.steps, pause: { kind: 'wait', seconds: 1, then: 'end' } } });
  world.activities.recordOutages = 1_000;
  await eventually(async () => (await transaction.handle.describe()).typedSearchAttributes.get(flowOutcome) === 'Done');
  await transaction.handle.cancel();
  await pause(500);
  world.activities.recordOutages = 0;
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runsOf(transaction)).toEqual(['Done']);
  await replay(await transaction.history());
});

test('a waiting caller gets a response before the cancel ends the workflow, without a failed task', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  const { runId } = await transaction.startFlow(longWait);
  world.activities.recordOutages = 1_000;
  const pending = transaction.cancelFlow(runId);
  const runs = async () => (await transaction.handle.describe()).raw.pendingActivities?.length;
  // The database delays the response.
  await eventually(async () => (await runs()) === 1);
  await transaction.handle.cancel();
  await pause(500);
  world.activities.recordOutages = 0;
  expect((await pending).status).toBe('Canceled');
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runsOf(transaction)).toEqual(['Canceled']);
  const history = await transaction.history();
  // Temporal rejects a task whose response follows the end, and retries it only after its timeout.
  const failed = (history.events ?? []).filter((event) => event.workflowTaskFailedEventAttributes);
  expect(failed).toEqual([]);
  await replay(history);
});

test('a caller who requested a code during a cancel gets a response, and the code works afterwards', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  world.activities.recordOutages = 1_000;
  const pending = transaction.request(emailToken);
  await eventually(async () => transaction.messages().length === 1);
  await transaction.handle.cancel();
  await pause(500);
  world.activities.recordOutages = 0;
  expect((await pending).status).toBe('Waiting');
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.state()).confirmations.map(({ status }) => status)).toEqual(['Waiting']);
  await replay(await transaction.history());
});

test('a caller during the last save gets a response, and the record has the change', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  world.activities.recordOutages = 1_000;
  await transaction.handle.cancel();
  await eventually(async () => (await transaction.handle.describe()).raw.pendingActivities?.length === 1);
  const pending = transaction.request(emailToken);
  await pause(300);
  world.activities.recordOutages = 0;
  expect((await pending).status).toBe('Waiting');
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.state()).confirmations.map(({ status }) => status)).toEqual(['Waiting']);
  await replay(await transaction.history());
});

test('a flow run that starts while a cancel waits for another caller is canceled too', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  let respond: () => void = () => undefined;
  world.activities.providerReady = new Promise((resolve) => (respond = resolve));
  const attempts = world.activities.deliveryAttempts.length;
  const pending = transaction.request(emailToken);
  await eventually(async () => world.activities.deliveryAttempts.length > attempts);
  await transaction.handle.cancel();
  await pause(300);
  const started = transaction.startFlow(longWait);
  await pause(300);
  respond();
  expect((await started).status).toBe('Canceled');
  expect((await pending).status).toBe('Waiting');
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect(await runsOf(transaction)).toEqual(['Canceled']);
  await replay(await transaction.history());
});

test('a cancel saves the answer of the last command, for repeats of it', async () => {
  const transaction = await world.transaction();
  await world.waitForAssessment(transaction);
  await transaction.request(emailToken);
  await transaction.handle.cancel();
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  expect((await transaction.state()).answers).toHaveLength(1);
  await replay(await transaction.history());
});

test('a message that the provider rejects does not block a cancel', async () => {
  const transaction = await world.transaction();
  world.activities.deliveryResults.push(...Array<'outage'>(100).fill('outage'));
  await transaction.request(emailToken);
  await transaction.handle.cancel();
  await eventually(async () => (await statusOf(transaction)) === 'CANCELLED');
  world.activities.deliveryResults.length = 0;
});

test('a terminated transaction with a running flow is resumed, and the run continues with its version', async () => {
  const transaction = await world.transaction();
  const { runId } = await transaction.startFlow(wait);
  await transaction.handle.terminate();
  await pause(3_500);
  expect(await runsOf(transaction)).toEqual(['Running']);
  const ended = createEndedTransactions();
  // Temporal lists ended workflows with a delay.
  await eventually(async () => {
    await ended.check();
    return (await statusOf(transaction)) === 'RUNNING';
  });
  expect(log.lines.filter(({ transactionId }) => transactionId === transaction.id)).toMatchObject([
    { runId, flow: wait.name, version: wait.version, step: 'pause', msg: expect.stringContaining('was resumed') },
  ]);
  await eventually(async () => (await runsOf(transaction))?.[0] === 'Done');
});

test('a transaction without a running flow stays ended, and a resumed one is not resumed twice', async () => {
  const idle = await world.transaction();
  await world.waitForAssessment(idle);
  const over = await world.transaction();
  const { runId } = await over.startFlow(wait);
  await over.cancelFlow(runId);
  const running = await world.transaction();
  await running.startFlow(longWait);
  for (const transaction of [idle, over, running]) await transaction.handle.terminate();
  const ended = createEndedTransactions();
  await eventually(async () => {
    await ended.check();
    return (await statusOf(running)) === 'RUNNING';
  });
  const { runId: resumedRunId } = await world.reconnect(running).handle.describe();
  await Promise.all([ended.check(), createEndedTransactions().check()]);
  expect((await world.reconnect(running).handle.describe()).runId).toBe(resumedRunId);
  expect([await statusOf(idle), await statusOf(over)]).toEqual(['TERMINATED', 'TERMINATED']);
  expect((await rejectionOf(world.reconnect(running).resendFlow(runId))).type).toBe('RunNotFound');
});

test.each([
  ['a record that cannot be read', new Error('the record cannot be read')],
  ['a start that Temporal rejects', serviceError(3, 'INVALID_ARGUMENT')],
])('one failure does not stop the others: %s', async (_, error) => {
  const [other, lost] = [await world.transaction(), await world.transaction()];
  for (const transaction of [other, lost]) await transaction.startFlow(longWait);
  // The list has the newest first.
  for (const transaction of [other, lost]) {
    await transaction.handle.terminate();
    await eventually(async () => (await statusOf(transaction)) === 'TERMINATED');
  }
  const errors = new Map([[lost.id, error]]);
  const ended = createEndedTransactions(errors);
  await eventually(async () => {
    await ended.check();
    return (await statusOf(other)) === 'RUNNING';
  });
  expect(await statusOf(lost)).toBe('TERMINATED');
  errors.clear();
  await ended.check();
  expect(await statusOf(lost)).toBe('RUNNING');
});

test('an outage ends a check and is logged once, not per transaction', async () => {
  const transaction = await world.transaction();
  await transaction.startFlow(longWait);
  await transaction.handle.terminate();
  await eventually(async () => (await statusOf(transaction)) === 'TERMINATED');
  const errors = new Map([[transaction.id, Object.assign(new Error('going down'), { code: '57P01' })]]);
  const ended = createEndedTransactions(errors);
  const linesBefore = log.lines.length;
  await eventually(async () => {
    await ended.check();
    return log.lines.length > linesBefore;
  });
  const messages = new Set(log.lines.slice(linesBefore).map(({ msg }) => msg));
  expect(messages).toEqual(new Set(['the search for ended transactions failed']));
  errors.clear();
  await ended.check();
  expect(await statusOf(transaction)).toBe('RUNNING');
});
