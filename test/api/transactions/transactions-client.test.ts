import * as contract from '../../../workflows/contract/commands';
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Problem } from '../../../api/http/problem';
import { deadlines } from '../../../api/transactions/records';
import { CommandRejected, type Target, type Transactions } from '../../../api/transactions/transactions';
import { createTransactions, type TransactionsOptions } from '../../../api/transactions/transactions.client';
import { withAssessment } from '../../../domain/transactions/outcome';
import type { TransactionState } from '../../../domain/transactions/state';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import { createLogger } from '../../../platform/logger';
import {
  createQueryClient,
  createConnector,
  createQueryClientOpener,
  DeadlineExceeded,
  openTemporal,
} from '../../../platform/temporal/connection';
import { builtBundle } from '../../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../../worker/create-workers';
import { findFreePort } from '../../../dev/stack/free-port';
import type { ConfirmationProposal } from '../../../domain/confirmations/settings';
import { dataOwnerOf, transactionWorkflowId } from '../../../workflows/contract/ids';
import { createDataConverter } from '../../../platform/temporal/data-converter';
import { DataErasedError, type DataOwner } from '../../../platform/keys/data-keys';
import { codeOf, person, propose, testKeys } from '../../support/build';
import { FakeActivities } from '../../support/fake-activities';
import { openMemoryRecords } from '../../support/memory-records';
import { quietRuntime } from '../../support/quiet-runtime';
import { testDataConverter, testTransactionKeys } from '../../support/test-data-converter';
import { openOwnDevServer } from '../../support/servers/open-environment';
import { waitUntil } from '../../support/wait-until';

const taskQueue = `test-${randomUUID()}`;
let env: TestWorkflowEnvironment;
let worker: WorkerGroup;
let workerRun: Promise<void>;
const activities = new FakeActivities();
const records = openMemoryRecords(activities.records);

/** Settings for a Temporal server at a port of this machine. */
const configFor = (port: number) => ({
  TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
  TEMPORAL_NAMESPACE: 'default',
  TEMPORAL_TLS: false,
});

const openTransactions = (options: Partial<TransactionsOptions> = {}): Transactions =>
  createTransactions({
    client: new Client({ connection: env.connection, dataConverter: testDataConverter }),
    openQueryClient: async () => createQueryClient(env.nativeConnection, 'default', testDataConverter),
    taskQueue,
    keys: testKeys,
    erase: async ({ id }) => ({ transactionId: id, erasedAt: new Date().toISOString() }),
    records,
    reads: 'workflow',
    assessFirst: async (state) => state,
    logger: createLogger('test', 'silent'),
    ...options,
  });

/**
 * On a busy machine, fifty starts and two hundred waits for a slot (which a command needs before the API sends it) take longer than callers
 * may wait. The deadlines of updates (sent commands) stay, because the Temporal client repeats a rejected update until the deadline of this
 * update. With a longer deadline, Temporal would accept every update in the end, and no test would notice that the API sends too many
 * updates at once.
 */
function extendDeadlines(): void {
  for (const deadline of ['startMs', 'slotMs', 'queryMs'] as const) jest.replaceProperty(deadlines, deadline, 60_000);
}

/** Waits until the workflow of a transaction has saved its first assessment. The record itself is older. */
const assessed = (id: string) => waitUntil(() => activities.records.get(id)?.evidence);

let transactions: Transactions;
beforeAll(async () => {
  quietRuntime();
  env = await openOwnDevServer();
  worker = await createWorkers({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities,
    cachedWorkflows: 50,
    workflowBundle: builtBundle,
    dataConverter: testDataConverter,
    logger: createLogger('test', 'silent'),
  });
  workerRun = worker.run();
  transactions = openTransactions();
  extendDeadlines();
  // With its first workflow, a worker loads its code, which takes longer than callers may wait. So a workflow runs before the tests.
  const { transaction } = await transactions.create('local', initialInput);
  await assessed(String(transaction['id']));
  jest.restoreAllMocks();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  worker.shutdown();
  await workerRun;
  await env.teardown();
});

const tenant = 'local';
const initialInput = { input: person, initialFlow: null };
const handleOf = (id: string) => env.client.workflow.getHandle(transactionWorkflowId(tenant, id));

async function createTransaction(): Promise<Target> {
  const { transaction } = await transactions.create(tenant, initialInput);
  return { tenant, id: String(transaction['id']) };
}

/** The error code and the duration of `call`. Throws if `call` succeeds. */
async function failureOf(call: () => Promise<unknown>): Promise<{ code: string; ms: number }> {
  const startedAt = Date.now();
  try {
    await call();
  } catch (error) {
    const code =
      error instanceof Problem ? error.code : error instanceof CommandRejected ? error.domainError.type : String(error);
    return { code, ms: Date.now() - startedAt };
  }
  throw new Error('The call succeeded.');
}

const request = (target: Target, proposal: ConfirmationProposal, idempotencyKey?: string, client = transactions) =>
  client.send(target, contract.requestConfirmation, {
    input: proposal,
    identity: [proposal.settings.name],
    idempotencyKey,
  });

const attemptCode = (target: Target, code: string, idempotencyKey?: string, client = transactions) => {
  const input = { name: smsToken.name, digest: digestTypedCode(testKeys, target.id, smsToken.name, code) };
  return client.send(target, contract.checkConfirmationCode, { input, identity: [input], idempotencyKey });
};

describe('create', () => {
  beforeEach(extendDeadlines);

  test('a request with the same key and body gets the first response, and the same key with another body is a conflict', async () => {
    const key = randomUUID();
    const first = await transactions.create(tenant, initialInput, key);
    const repeat = await transactions.create(tenant, { ...initialInput, input: { ...person } }, key);
    expect(repeat).toEqual({ transaction: first.transaction, replayed: true });
    const conflict = transactions.create(tenant, { ...initialInput, input: { ...person, name: 'Other' } }, key);
    await expect(conflict).rejects.toMatchObject({
      code: 'idempotency_conflict',
      extras: { members: { transactionId: first.transaction['id'] } },
    });
    const other = await transactions.create('other', initialInput, key);
    expect(other.replayed).toBe(false);
    expect(other.transaction['id']).not.toBe(first.transaction['id']);
  });

  test.each([
    ['with another flow', 'sms-token', 'email-token'],
    ['without a flow, after a request with a flow', 'sms-token', null],
    ['with a flow, after a request without a flow', null, 'sms-token'],
  ])('a second request with the same key is a conflict if it is sent %s', async (_, first, second) => {
    const key = randomUUID();
    const created = await transactions.create(tenant, { ...initialInput, initialFlow: first }, key);
    await expect(transactions.create(tenant, { ...initialInput, initialFlow: second }, key)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      extras: { members: { transactionId: created.transaction['id'] } },
    });
    expect(await transactions.create(tenant, { ...initialInput, initialFlow: first }, key)).toMatchObject({
      replayed: true,
    });
  });

  test('a search by idempotency key finds a transaction and creates none', async () => {
    const key = randomUUID();
    expect(await transactions.findByIdempotencyKey(tenant, initialInput, key)).toBeUndefined();
    expect(await transactions.findByIdempotencyKey(tenant, initialInput)).toBeUndefined();
    const { transaction } = await transactions.create(tenant, initialInput, key);
    const findByKey = () => transactions.findByIdempotencyKey(tenant, initialInput, key);
    expect(await findByKey()).toEqual({ transaction, replayed: true });
    const other = transactions.findByIdempotencyKey(tenant, { ...initialInput, initialFlow: 'sms-token' }, key);
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  test('fifty requests with the same key at the same time create one transaction', async () => {
    const key = randomUUID();
    const created = await Promise.all(Array.from({ length: 50 }, () => transactions.create(tenant, initialInput, key)));
    expect(new Set(created.map(({ transaction }) => transaction['id'])).size).toBe(1);
    expect(created.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  test('without Temporal, a transaction is created, and its first command starts the workflow', async () => {
    const client = new Client({ connection: env.connection, dataConverter: testDataConverter });
    client.withDeadline = () => Promise.reject(new DeadlineExceeded('away'));
    const { transaction } = await openTransactions({ client }).create(tenant, initialInput);
    const target = { tenant, id: String(transaction['id']) };
    await expect(handleOf(target.id).describe()).rejects.toThrow(WorkflowNotFoundError);
    extendDeadlines();
    expect(await request(target, propose(smsToken, target.id))).toMatchObject({ status: 'Waiting' });
  });

  test('the workflow starts from the assessed record, and does not assess it again', async () => {
    const assessFirst = async (state: TransactionState) => {
      const assessed = { ...withAssessment(state, activities.assessment), version: 1 };
      activities.records.set(state.id, assessed);
      return assessed;
    };
    const { transaction } = await openTransactions({ assessFirst }).create(tenant, initialInput);
    const id = String(transaction['id']);
    const { view } = await waitUntil(async () => {
      const read = await transactions.read({ tenant, id });
      return read.source === 'workflow' && read;
    });
    expect(view.scores).toMatchObject([{ reason: 'Initial' }]);
    const { events = [] } = await handleOf(id).fetchHistory();
    expect(events?.filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)).toEqual([]);
    // A workflow that starts behind its record continues from the record in another run.
    expect(events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBeFalsy();
    expect(activities.records.get(id)?.version).toBe(1);
  });

  test('a transaction with a flow gets its workflow with the start of its flow', async () => {
    const { transaction } = await transactions.create(tenant, { ...initialInput, initialFlow: 'sms-token' });
    await expect(handleOf(String(transaction['id'])).describe()).rejects.toThrow(WorkflowNotFoundError);
  });

  test('an idempotency key is found in the record after the workflow is terminated', async () => {
    const key = randomUUID();
    const { transaction } = await transactions.create(tenant, initialInput, key);
    const id = String(transaction['id']);
    await assessed(id);
    await handleOf(id).terminate();
    expect(await transactions.create(tenant, initialInput, key)).toEqual({ transaction, replayed: true });
    expect((await handleOf(id).describe()).status.name).toBe('TERMINATED');
  });
});

describe('send', () => {
  beforeEach(extendDeadlines);

  test('a retry with the same key returns the first response, even after other commands', async () => {
    const target = await createTransaction();
    const confirmationId = randomUUID();
    await request(target, propose(smsToken, target.id, confirmationId), 'ask');
    await request(target, propose(smsToken, target.id), 'ask');
    expect(activities.messages.filter(({ transactionId }) => transactionId === target.id)).toHaveLength(1);
    const code = codeOf(smsToken, target.id, confirmationId);
    expect(await attemptCode(target, code, 'try')).toMatchObject({ status: 'Valid' });
    expect(await attemptCode(target, code, 'try')).toMatchObject({ status: 'Valid' });
    expect(await failureOf(() => attemptCode(target, '000000', 'try'))).toMatchObject({ code: 'idempotency_conflict' });
    expect(await failureOf(() => attemptCode(target, code))).toMatchObject({ code: 'TokenClosed' });
  });

  test('a domain error is saved with the key of its request, and a different request with this key is a conflict', async () => {
    const target = await createTransaction();
    expect(await failureOf(() => attemptCode(target, '1'))).toMatchObject({ code: 'ConfirmationNotFound' });
    activities.deliveryResults.push('DestinationRefused');
    const requestRejected = () => request(target, propose(smsToken, target.id), 'refused');
    expect([
      await failureOf(requestRejected),
      await failureOf(requestRejected),
      await failureOf(() => attemptCode(target, '1', 'refused')),
    ]).toMatchObject([
      { code: 'DestinationRefused' },
      { code: 'DestinationRefused' },
      { code: 'idempotency_conflict' },
    ]);
  });

  test('commands and reads of an unknown transaction fail, and its delivery status is ignored', async () => {
    const unknownTarget = { tenant, id: randomUUID() };
    expect(await failureOf(() => attemptCode(unknownTarget, '1'))).toMatchObject({ code: 'transaction_not_found' });
    expect(await failureOf(() => transactions.read(unknownTarget))).toMatchObject({ code: 'transaction_not_found' });
    await transactions.reportDeliveryStatus(unknownTarget, { sendId: 'x', status: 'sent' });
  });

  test('the delivery status of an erased transaction is ignored', async () => {
    const target = await createTransaction();
    const withoutKeys = {
      ...testTransactionKeys,
      get: async (owner: DataOwner) => {
        throw new DataErasedError(owner);
      },
    };
    const dataConverter = createDataConverter({ transactionKeys: withoutKeys, ownerOf: dataOwnerOf, encrypts: true });
    const client = new Client({ connection: env.connection, dataConverter });
    await openTransactions({ client }).reportDeliveryStatus(target, { sendId: 'x', status: 'sent' });
  });

  test('a delivery status that arrives when no workflow runs starts the workflow, and is in the record', async () => {
    const target = await createTransaction();
    await request(target, propose(smsToken, target.id));
    await env.client.workflow.getHandle(transactionWorkflowId(tenant, target.id)).terminate();
    const sendOf = () => activities.records.get(target.id)?.confirmations[0]?.sends[0];
    await transactions.reportDeliveryStatus(target, { sendId: sendOf()?.id ?? '', status: 'delivered' });
    await waitUntil(() => sendOf()?.callerStatus === 'Delivered');
  });

  // Temporal accepts at most 10 updates of one workflow at the same time.
  test.each([1, 5])(
    'if %i API processes send two hundred wrong codes at once, each code gets a response, and only five codes are checked',
    async (processCount) => {
      const processes = Array.from({ length: processCount }, () => openTransactions());
      const target = await createTransaction();
      await request(target, propose(smsToken, target.id));
      const statuses = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          attemptCode(target, `x${index}`, undefined, processes[index % processCount]).then(
            ({ status }) => status,
            (error: unknown) => (error instanceof CommandRejected ? error.domainError.details.about?.status : 'failed'),
          ),
        ),
      );
      const countOf = (status: string) => statuses.filter((answer) => answer === status).length;
      expect({ invalid: countOf('Invalid'), blocked: countOf('Blocked') }).toEqual({ invalid: 4, blocked: 196 });
    },
  );

  test('a closed transaction is read from its record and resumed by a command', async () => {
    const target = await createTransaction();
    await request(target, propose(smsToken, target.id));
    const before = await transactions.read(target);
    expect(before.source).toBe('workflow');
    await env.client.workflow.getHandle(transactionWorkflowId(tenant, target.id)).terminate();
    const closed = await transactions.read(target);
    expect(closed).toEqual({ view: before.view, source: 'record' });
    const rejected = await failureOf(() => request(target, propose(smsToken, target.id)));
    expect(rejected.code).toBe('ResendTooSoon');
    await request(target, propose(emailToken, target.id));
    const resumed = await transactions.read(target);
    expect(resumed.source).toBe('workflow');
    expect(resumed.view).toMatchObject({ smsToken: before.view.smsToken, emailToken: { status: 'Waiting' } });
  });

  test('with READS=record every read comes from the record, and equals the read from the workflow', async () => {
    const target = await createTransaction();
    await request(target, propose(smsToken, target.id));
    // Both reads must come after the first assessment.
    await waitUntil(async () => (await transactions.read(target)).view.assessed);
    const fromRecord = await openTransactions({ reads: 'record' }).read(target, 'en');
    const fromWorkflow = await transactions.read(target, 'en');
    expect([fromRecord.source, fromWorkflow.source]).toEqual(['record', 'workflow']);
    expect(JSON.stringify(fromRecord.view)).toBe(JSON.stringify(fromWorkflow.view));
  });
});

test('a worker that cannot decrypt a workflow reports the name of the error, and continues with other workflows', async () => {
  extendDeadlines();
  const otherKeys = { get: async () => randomBytes(32) };
  const dataConverter = createDataConverter({ transactionKeys: otherKeys, ownerOf: dataOwnerOf, encrypts: true });
  const client = new Client({ connection: env.connection, dataConverter });
  const { transaction } = await openTransactions({ client }).create(tenant, initialInput);
  const handle = env.client.workflow.getHandle(transactionWorkflowId(tenant, String(transaction['id'])));
  const findFailure = async () =>
    (await handle.fetchHistory()).events?.find(
      ({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes,
    )?.workflowTaskFailedEventAttributes?.failure;
  await waitUntil(async () => (await findFailure()) !== undefined);
  expect(await findFailure()).toMatchObject({ message: 'BrokenSealError', stackTrace: '', encodedAttributes: null });
  await handle.terminate();
  expect(worker.isRunning()).toBe(true);
  const other = await createTransaction();
  await assessed(other.id);
});

test('if a workflow is terminated before the result of a command, the caller gets an error that allows a retry', async () => {
  extendDeadlines();
  const target = await createTransaction();
  await assessed(target.id);
  let isSaving = false;
  let finishSaving = () => {};
  const isTerminated = new Promise<void>((resolve) => (finishSaving = resolve));
  activities.beforeSaving = async ({ id, confirmations }) => {
    // Delays only the save of the confirmation.
    if (id !== target.id || confirmations.length === 0) return;
    isSaving = true;
    await isTerminated;
  };
  const failure = failureOf(() => request(target, propose(smsToken, target.id)));
  await waitUntil(() => isSaving);
  await env.client.workflow.getHandle(transactionWorkflowId(tenant, target.id)).terminate();
  const { code } = await failure;
  finishSaving();
  expect(code).toBe('service_unavailable');
  activities.beforeSaving = async () => {};
});

/**
 * A call that takes longer than this has no deadline: the Temporal client would repeat it for as long as Temporal is away. The exact
 * deadlines are tested with a fake clock, in send-command.test.ts.
 */
const endlessMs = 10_000;

describe('without a worker', () => {
  test('without a worker, a transaction can be created and read, and commands fail', async () => {
    const clientWithoutWorker = openTransactions({ taskQueue: `nobody-${randomUUID()}` });
    const { transaction } = await clientWithoutWorker.create(tenant, initialInput);
    const target = { tenant, id: String(transaction['id']) };
    const readResult = await clientWithoutWorker.read(target);
    expect(readResult).toMatchObject({ source: 'record', view: { transaction, assessed: false } });
    const failure = await failureOf(() =>
      request(target, propose(smsToken, target.id), undefined, clientWithoutWorker),
    );
    expect(failure.code).toBe('service_unavailable');
    expect(failure.ms).toBeLessThan(endlessMs);
  });
});

describe.each(['closed', 'silent'])('with a Temporal server that is %s', (kind) => {
  let offlineClient: Transactions;
  let close: () => Promise<void>;
  beforeAll(async () => {
    // This server never responds. If `kind` is `closed`, it is stopped, and its port refuses connections.
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
    if (kind === 'closed') await stop();
    const { client } = openTemporal(configFor(port), testDataConverter);
    offlineClient = openTransactions({
      client,
      openQueryClient: createQueryClientOpener(createConnector(configFor(port)), 'default', testDataConverter),
    });
    close = async () => {
      // The Temporal client stays open: its retries may continue, and a retry with a closed client would end the process.
      for (const socket of sockets) socket.destroy();
      if (kind === 'silent') await stop();
    };
  });
  afterAll(() => close());

  test('without Temporal, a transaction is created, and a command starts its workflow as soon as Temporal is reachable', async () => {
    const startedAt = Date.now();
    const { transaction } = await offlineClient.create(tenant, initialInput);
    expect(Date.now() - startedAt).toBeLessThan(endlessMs);
    const target = { tenant, id: String(transaction['id']) };
    expect(await offlineClient.read(target)).toMatchObject({ source: 'record', view: { transaction } });
    expect(await request(target, propose(smsToken, target.id))).toMatchObject({ status: 'Waiting' });
  });

  test('without Temporal, commands and reports fail at their deadline', async () => {
    const target = await createTransaction();
    const calls = [
      () => request(target, propose(smsToken, target.id), undefined, offlineClient),
      () => offlineClient.reportDeliveryStatus(target, { sendId: 'x', status: 'sent' }),
    ];
    for (const call of calls) {
      const { code, ms } = await failureOf(call);
      expect(code).toBe('service_unavailable');
      expect(ms).toBeLessThan(endlessMs);
    }
  });

  test('without Temporal, reads use the record; after five reads in a row waited for Temporal, the next read does not wait', async () => {
    const target = await createTransaction();
    await assessed(target.id);
    // With a clock that stands still, the pause of the breaker does not end, also on a busy machine.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let time = 0; time < 5; time += 1) expect((await offlineClient.read(target)).source).toBe('record');
    const startedAt = performance.now();
    for (let time = 0; time < 20; time += 1) expect((await offlineClient.read(target)).source).toBe('record');
    // A read that queries a silent server waits for its whole deadline.
    expect(performance.now() - startedAt).toBeLessThan(20 * deadlines.queryMs);
    clock.mockRestore();
  });
});

test('reads come from the workflow as soon as an unreachable Temporal server is reachable again', async () => {
  const proxy = createServer((socket) => {
    const [host, port] = env.connection.options.address.split(':');
    socket.pipe(connect(Number(port), host)).pipe(socket);
  });
  const port = await findFreePort();
  const openQueryClient = createQueryClientOpener(createConnector(configFor(port)), 'default', testDataConverter);
  const lateTransactions = openTransactions({ openQueryClient });
  const target = await createTransaction();
  await assessed(target.id);
  expect((await lateTransactions.read(target)).source).toBe('record');
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  await waitUntil(async () => (await lateTransactions.read(target)).source === 'workflow');
  await (await openQueryClient()).connection.close();
  proxy.close();
});
