import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { smsToken, whatsappSecondFactor } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { isAbandoned, takesOver } from '../../../worker/deployment/activation';
import type { WebhookTarget } from '../../../domain/webhooks/webhooks';
import { drain } from '../../../worker/deployment/drain';
import {
  Deployment,
  openWorkflowsQuery,
  type VersionInfo,
  type WorkerVersion,
} from '../../../worker/deployment/versions';
import { changedCode } from '../../support/changed-code';
import { webhookWorkflowId, webhookWorkflowType } from '../../../workflows/contract/ids';
import { waitUntil } from '../../support/wait-until';
import { type TestTransaction, World } from '../../support/world';

const deploymentName = `upgrade-${randomUUID()}`;
const older: WorkerVersion = { deploymentName, buildId: 'older' };
const newer: WorkerVersion = { deploymentName, buildId: 'newer' };

const changedBundle = { code: changedCode() };

let world: World;
let deployment: Deployment;
let stopNewer: () => Promise<void>;

beforeAll(async () => {
  world = await World.open('temporal', older);
  deployment = new Deployment(world.env.client, 'default', deploymentName);
  stopNewer = await world.startOtherWorker({ version: newer, bundle: changedBundle });
});
beforeEach(() => activateSoon(older));
afterAll(async () => {
  await stopNewer();
  await world.close();
});

/** Activates a version as soon as its workers run. */
const activateSoon = ({ buildId }: WorkerVersion) =>
  waitUntil(() =>
    deployment.activate(buildId).then(
      () => true,
      () => false,
    ),
  );

const waitingWebhooks: WebhookTarget[] = [];
const moveFrom = (version: WorkerVersion, terminateAfterMs = 60_000, isStopped = async () => false) =>
  drain(
    {
      client: world.env.client,
      taskQueue: world.taskQueue,
      findState: async ({ id }) => world.activities.records.get(id),
      deliverWaiting: async (webhook) => void waitingWebhooks.push(webhook),
    },
    { query: openWorkflowsQuery(version), terminateAfterMs, isStopped },
  );

async function openTransaction(ask: (transaction: TestTransaction) => Promise<unknown>): Promise<TestTransaction> {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await ask(transaction);
  return transaction;
}

async function describeRun(transaction: TestTransaction) {
  const { status, raw } = await world.reconnect(transaction).handle.describe();
  return { status: status.name, version: raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId };
}

const isSignal = (event: { workflowExecutionSignaledEventAttributes?: unknown }): boolean =>
  Boolean(event.workflowExecutionSignaledEventAttributes);

const countFailedTasks = async (transaction: TestTransaction): Promise<number> => {
  const { events } = await world.reconnect(transaction).handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
};

test('open transactions move to changed workflow code and back, and continue with their codes, questions and flow runs', async () => {
  const code = await openTransaction((transaction) => transaction.request(smsToken));
  const question = await openTransaction((transaction) => transaction.request(whatsappSecondFactor));
  const flow = await openTransaction((transaction) => transaction.startFlow(smsTokenFlow));
  const idle = await openTransaction(async () => undefined);
  for (const [from, to] of [
    [older, newer],
    [newer, older],
    [older, newer],
  ] as const) {
    await activateSoon(to);
    expect(await moveFrom(from)).toMatchObject({ terminated: 0 });
    for (const moved of [code, question, flow])
      expect(await describeRun(moved)).toEqual({ status: 'RUNNING', version: to.buildId });
  }
  // A transaction that waits only for commands needs no workflow.
  expect((await describeRun(idle)).status).toBe('COMPLETED');
  const answer = await world.reconnect(code).answer(smsToken, code.codeOf(smsToken));
  expect(answer).toMatchObject({ status: 'Valid' });
  const [asked] = (await question.readState()).confirmations;
  await world.reconnect(question).reply(asked?.id ?? '', { option: 1 });
  expect((await question.readState()).confirmations[0]?.status).toBe('Replied');
  const [started] = (await world.reconnect(flow).readView()).flowRuns;
  const { run } = await world.reconnect(flow).answerFlow(started?.runId ?? '', flow.codeOf(smsToken));
  expect(run).toMatchObject({ status: 'Completed', outcome: 'Confirmed' });
  for (const moved of [code, question, flow]) {
    expect(await countFailedTasks(moved)).toBe(0);
    expect(moved.messages()).toHaveLength(1);
  }
});

test('a workflow does not move while a message is sent, and the caller gets the answer', async () => {
  let answer = () => {};
  world.activities.providerReady = new Promise((resolve) => (answer = resolve));
  const transaction = await openTransaction(async () => undefined);
  const request = transaction.request(smsToken);
  await waitUntil(() =>
    world.activities.deliveryAttempts.some(({ transactionId }) => transactionId === transaction.id),
  );
  await activateSoon(newer);
  const moving = moveFrom(older);
  await waitUntil(async () => ((await transaction.fetchHistory()).events ?? []).some(isSignal));
  expect(await describeRun(transaction)).toEqual({ status: 'RUNNING', version: 'older' });
  answer();
  await request;
  expect(await moving).toMatchObject({ terminated: 0 });
  expect(await describeRun(transaction)).toEqual({ status: 'RUNNING', version: 'newer' });
  expect(transaction.messages()).toHaveLength(1);
});

test('a drain that is stopped tells no more workflows to end, and still resumes those that it has told', async () => {
  const told = await openTransaction((transaction) => transaction.request(smsToken));
  await activateSoon(newer);
  let rounds = 0;
  const opened: TestTransaction[] = [];
  const isStopped = async () => {
    rounds += 1;
    if (rounds === 2) {
      await activateSoon(older);
      opened.push(await openTransaction((transaction) => transaction.request(smsToken)));
    }
    return rounds >= 2;
  };
  expect(await moveFrom(older, 60_000, isStopped)).toEqual({ total: 1, moved: 1, terminated: 0 });
  expect((await describeRun(told)).status).toBe('RUNNING');
  for (const later of opened) expect(((await later.fetchHistory()).events ?? []).filter(isSignal)).toEqual([]);
  expect(opened).toHaveLength(1);
});

test('workflows whose workers are gone are terminated, and continue from their record', async () => {
  const gone: WorkerVersion = { deploymentName, buildId: 'gone' };
  const stopGone = await world.startOtherWorker({ version: gone });
  await activateSoon(gone);
  const transaction = await openTransaction((opened) => opened.request(smsToken));
  await activateSoon(newer);
  await stopGone();
  expect(await moveFrom(gone, 0)).toEqual({ total: 1, moved: 1, terminated: 1 });
  expect(await describeRun(transaction)).toEqual({ status: 'RUNNING', version: 'newer' });
  const result = await world.reconnect(transaction).answer(smsToken, transaction.codeOf(smsToken));
  expect(result).toMatchObject({ status: 'Valid' });
});

test('a delivery to a webhook is not interrupted, and the next one starts when it has ended', async () => {
  const target = { tenant: 'local', webhookId: randomUUID() };
  // No worker of this test makes deliveries, so the workflow stays busy.
  const handle = await world.env.client.workflow.start(webhookWorkflowType, {
    ...{ workflowId: webhookWorkflowId(target), taskQueue: world.taskQueue, args: [target] },
  });
  await waitUntil(async () =>
    ((await handle.fetchHistory()).events ?? []).some((event) => event.workflowTaskCompletedEventAttributes),
  );
  await activateSoon(newer);
  const moving = moveFrom(older, 0);
  await waitUntil(async () => ((await handle.fetchHistory()).events ?? []).some(isSignal));
  await pause(2_000);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  expect(waitingWebhooks).toEqual([]);
  await handle.terminate();
  await moving;
  expect(waitingWebhooks).toEqual([target]);
});

test('a drain looks again before it ends, because the search of Temporal can lag behind', async () => {
  const transaction = await openTransaction((opened) => opened.request(smsToken));
  await activateSoon(newer);
  const { workflow } = world.env.client;
  const nothing = { [Symbol.asyncIterator]: async function* () {}, intoHistories: () => nothing } as never;
  jest.spyOn(workflow, 'list').mockReturnValueOnce(nothing);
  expect(await moveFrom(older)).toEqual({ total: 1, moved: 1, terminated: 0 });
  expect(await describeRun(transaction)).toEqual({ status: 'RUNNING', version: 'newer' });
});

test('a delivery status that the workers of a terminated workflow did not handle is handled after the move', async () => {
  const gone: WorkerVersion = { deploymentName, buildId: 'gone-too' };
  const stopGone = await world.startOtherWorker({ version: gone });
  await activateSoon(gone);
  const transaction = await openTransaction((opened) => opened.request(smsToken));
  await stopGone();
  const sendOf = async () => (await transaction.readState()).confirmations[0]?.sends[0];
  await transaction.sendDeliveryStatus((await sendOf())?.id ?? '', 'delivered');
  await activateSoon(newer);
  await moveFrom(gone, 0);
  await waitUntil(async () => (await sendOf())?.callerStatus === 'Delivered');
});

test('without versions, changed workflow code stops an open transaction', async () => {
  const unversioned = await World.open('temporal');
  const transaction = await unversioned.createTransaction();
  await unversioned.waitForAssessment(transaction);
  await transaction.request(smsToken);
  await unversioned.stopWorker();
  const stop = await unversioned.startOtherWorker({ bundle: changedBundle });
  const answer = transaction.answer(smsToken, transaction.codeOf(smsToken)).catch(() => undefined);
  await waitUntil(async () =>
    ((await transaction.handle.fetchHistory()).events ?? []).some((event) => event.workflowTaskFailedEventAttributes),
  );
  await transaction.handle.terminate();
  await answer;
  await stop();
  await unversioned.env.teardown();
});

const version = (buildId: string, createdAt: string, status: VersionInfo['status'] = 'inactive'): VersionInfo => ({
  ...{ deploymentName, buildId, createdAt, status },
});
const reading = (versions: VersionInfo[], ...running: string[]) => ({
  versions,
  workers: new Map(running.map((buildId) => [buildId, 1])),
});
const [first, second] = [version('older', '2026-01-01'), version('newer', '2026-01-02')];
const active = (info: VersionInfo): VersionInfo => ({ ...info, status: 'active' });

test('a worker that starts takes over if no version is active, or if the active one is older', () => {
  expect(takesOver(older, reading([first], 'older'))).toBe(true);
  expect(takesOver(newer, reading([second, active(first)], 'older', 'newer'))).toBe(true);
  expect(takesOver(older, reading([active(second), first], 'older', 'newer'))).toBe(false);
  expect(takesOver(older, reading([active(first)], 'older'))).toBe(false);
  // Temporal does not know the version yet.
  expect(takesOver(newer, reading([active(first)], 'older'))).toBe(false);
});

test('a version is abandoned if it has no workers and Temporal knows those of another version', () => {
  expect(isAbandoned(older, reading([active(second), first], 'older'))).toBe(true);
  expect(isAbandoned(older, reading([active(second), first], 'older', 'newer'))).toBe(false);
  expect(isAbandoned(older, reading([active(second), first]))).toBe(false);
  expect(isAbandoned(older, reading([active(first)], 'older'))).toBe(false);
});
