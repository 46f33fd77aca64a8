import { transactionWorkflowId } from '../../workflows/contract/ids';
import { randomUUID } from 'node:crypto';
import { Problem } from '../../api/http/problem';
import { temporal } from '@temporalio/proto';
import { CommandRejected, type Target, type Transactions } from '../../api/transactions/transactions';
import { createTransactions } from '../../api/transactions/transactions.client';
import type { BiometricsProposal } from '../../domain/biometrics/biometrics';
import type { TransactionState } from '../../domain/transactions/state';
import { emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { digestTypedCode } from '../../messages/codes';
import { createLogger } from '../../platform/logger';
import { createQueryClient } from '../../platform/temporal/connection';
import * as contract from '../../workflows/contract/commands';
import { propose, testKeys } from '../support/build';
import { planOf } from '../support/flow-plan';
import { openMemoryRecords } from '../support/memory-records';
import { replay } from '../support/replay';
import { waitUntil } from '../support/wait-until';
import { type TestTransaction, World } from '../support/world';

/*
 * A workflow can be behind its record: an earlier backup of Temporal was restored, an operator has reset the workflow, or a worker died after
 * it had saved a change. The record has every acknowledged change, so the workflow continues from the record and never overwrites it.
 */

// The tests use the real server, because some histories of the time-skipping server cannot be replayed.
let world: World;
let transactions: Transactions;
beforeAll(async () => {
  world = await World.open('temporal');
  transactions = createTransactions({
    client: world.env.client,
    openQueryClient: async () => createQueryClient(world.env.nativeConnection, 'default', {}),
    taskQueue: world.taskQueue,
    keys: testKeys,
    records: openMemoryRecords(world.activities.records),
    erase: async ({ id }) => ({ transactionId: id, erasedAt: new Date().toISOString() }),
    reads: 'workflow',
    assessFirst: async (state) => state,
    logger: createLogger('test', 'silent'),
  });
});
afterAll(() => world.close());

const targetOf = ({ id }: TestTransaction): Target => ({ tenant: 'local', id });

const validate = ({ id }: TestTransaction, code: string, key?: { idempotencyKey: string }) => {
  const input = { name: smsToken.name, digest: digestTypedCode(testKeys, id, smsToken.name, code) };
  return transactions.send({ tenant: 'local', id }, contract.checkConfirmationCode, {
    input,
    identity: [input],
    ...key,
  });
};

/** Repeats a command with an idempotency key while the answer is 503, as a caller does. */
const untilAnswered = <Output extends object>(command: (key: { idempotencyKey: string }) => Promise<Output>) => {
  const key = { idempotencyKey: randomUUID() };
  return waitUntil(() =>
    command(key).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'service_unavailable') return undefined;
      throw error;
    }),
  );
};

/** The id of the proposed confirmation comes from the idempotency key, as in the API. */
const requestEmail = (transaction: TestTransaction, key?: { idempotencyKey: string }) => {
  const input = { ...propose(emailToken, transaction.id), ...(key && { confirmationId: key.idempotencyKey }) };
  return transactions.send(targetOf(transaction), contract.requestConfirmation, { input, identity: [], ...key });
};

/** The domain error of a rejected command: its type, and the status of the token that it is about. */
async function rejectionOf(command: Promise<unknown>): Promise<unknown> {
  const error = await command.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof CommandRejected
    ? [error.domainError.type, error.domainError.details.about?.status]
    : (error ?? 'no error');
}

const statusesOf = ({ confirmations }: TransactionState) => confirmations.map(({ status }) => status);

/** The event id of the last finished workflow task. */
async function lastFinishedTask(transaction: TestTransaction) {
  const { events } = await transaction.fetchHistory();
  const finished = events?.findLast((event) => event.workflowTaskCompletedEventAttributes);
  if (!finished?.eventId) throw new Error('The workflow has finished no task.');
  return finished.eventId;
}

/** Puts a workflow back to an earlier point of its history, without the later updates, as the restore of a backup of Temporal does. */
async function putBack(
  transaction: TestTransaction,
  workflowTaskFinishEventId: Awaited<ReturnType<typeof lastFinishedTask>>,
): Promise<void> {
  await world.env.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: transactionWorkflowId('local', transaction.id) },
    workflowTaskFinishEventId,
    requestId: randomUUID(),
    reason: 'restore',
    resetReapplyType: temporal.api.enums.v1.ResetReapplyType.RESET_REAPPLY_TYPE_NONE,
  });
}

/**
 * Finishes one more task, which changes nothing. A workflow that is put back repeats the task to which it goes back, so `putBack` to the
 * returned task keeps everything until now.
 */
async function finishTask(transaction: TestTransaction) {
  const last = await lastFinishedTask(transaction);
  await transaction.handle.signal(contract.recordVersion, 0);
  return waitUntil(async () => {
    const task = await lastFinishedTask(transaction);
    return task.gt(last) && task;
  });
}

async function createWithUsedCode(): Promise<{ transaction: TestTransaction; code: string }> {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  const taskBefore = await finishTask(transaction);
  const code = transaction.codeOfLastMessage(smsToken);
  expect(await untilAnswered((key) => validate(transaction, code, key))).toMatchObject({ status: 'Valid' });
  await putBack(transaction, taskBefore);
  return { transaction, code };
}

describe('a workflow that was put back to an earlier point of its history', () => {
  test('a used code stays used, and the record is not overwritten', async () => {
    const { transaction, code } = await createWithUsedCode();
    const record = await transaction.readState();
    expect(await rejectionOf(untilAnswered((key) => validate(transaction, code, key)))).toEqual([
      'TokenClosed',
      'Used',
    ]);
    expect(await transaction.readState()).toEqual(record);
  });

  test('the next change continues from the record, and its history can be replayed', async () => {
    const { transaction } = await createWithUsedCode();
    const record = await transaction.readState();
    expect(await untilAnswered((key) => requestEmail(transaction, key))).toMatchObject({ status: 'Waiting' });
    const changed = await transaction.readState();
    expect(changed.version).toBeGreaterThan(record.version);
    expect(statusesOf(changed)).toEqual(['Valid', 'Waiting']);
    // The same message may be requested twice, but with the same id, so the person gets it once.
    expect(new Set(transaction.messages().map(({ sendId }) => sendId)).size).toBe(2);
    await replay(await world.reconnect(transaction).fetchHistory());
  });

  test('a command that the earlier state would reject is answered from the record', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    const taskBefore = await lastFinishedTask(transaction);
    await transaction.request(smsToken);
    const code = transaction.codeOfLastMessage(smsToken);
    await putBack(transaction, taskBefore);
    expect(await untilAnswered((key) => validate(transaction, code, key))).toMatchObject({ status: 'Valid' });
  });

  test('a read shows the record, and after it the workflow shows the same', async () => {
    const { transaction } = await createWithUsedCode();
    const read = await transactions.read(targetOf(transaction));
    expect(read.source).toBe('record');
    expect(read.view).toEqual(world.viewOf(await transaction.readState(), await world.now()));
    await waitUntil(async () => (await transactions.read(targetOf(transaction))).source === 'workflow');
    const current = world.reconnect(transaction);
    expect(await current.readView()).toEqual(world.viewOf(await transaction.readState(), await world.now()));
  });
});

describe('delivery statuses of a workflow that was put back', () => {
  /** A transaction whose workflow is put back to the time before it asked for the code by e-mail. The code by SMS is `Waiting` in both. */
  async function createWithTwoCodes() {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    await transaction.request(smsToken);
    const taskBefore = await finishTask(transaction);
    await transaction.request(emailToken);
    await putBack(transaction, taskBefore);
    return transaction;
  }

  test.each([
    ['of a message that the workflow knows', 0],
    ['of a message that only the record has', 1],
  ])('the status %s is applied to the record', async (_, index) => {
    const transaction = await createWithTwoCodes();
    const send = (await transaction.readState()).confirmations[index]?.sends[0];
    const current = world.reconnect(transaction);
    await current.handle.signal(contract.deliveryStatusReported, {
      sendId: send?.id ?? '',
      status: 'failed',
      code: '30005',
    });
    await waitUntil(async () => (await transaction.readState()).confirmations[index]?.sends[0]?.state === 'failed');
    await waitUntil(async () => (await transactions.read(targetOf(transaction))).source === 'workflow');
    await replay(await world.reconnect(transaction).fetchHistory());
  });
});

test('a repeat whose answer is no longer remembered gets the confirmation of the record', async () => {
  const { transaction } = await createWithUsedCode();
  const [confirmation] = (await transaction.readState()).confirmations;
  const input = { ...propose(smsToken, transaction.id), confirmationId: confirmation?.id ?? '' };
  const request = { input, identity: [] };
  expect(
    await untilAnswered((key) =>
      transactions.send(targetOf(transaction), contract.requestConfirmation, { ...request, ...key }),
    ),
  ).toMatchObject({ status: 'Valid' });
});

test('a repeat of a request that the provider refused is no sign of a workflow behind its record', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const key = { idempotencyKey: randomUUID() };
  world.activities.deliveryResults.push('DestinationRefused');
  expect(await rejectionOf(requestEmail(transaction, key))).toEqual(['DestinationRefused', undefined]);
  await transaction.request(smsToken);
  expect(await rejectionOf(requestEmail(transaction, key))).toEqual(['DestinationRefused', undefined]);
  const { events } = await transaction.fetchHistory();
  expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).toEqual([]);
});

test('the service gets the answer of a command without an idempotency key even if another command came first', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  const taskBefore = await finishTask(transaction);
  const input = {
    name: smsToken.name,
    digest: digestTypedCode(testKeys, transaction.id, smsToken.name, transaction.codeOfLastMessage(smsToken)),
  };
  const check = { input, identity: [input], deduplicateBy: [input] };
  const checkCode = () => transactions.send(targetOf(transaction), contract.checkConfirmationCode, check);
  expect(await checkCode()).toMatchObject({ status: 'Valid' });
  await requestEmail(transaction);
  await putBack(transaction, taskBefore);
  expect(await checkCode()).toMatchObject({ status: 'Valid' });
});

describe('a worker that died after it had saved a change', () => {
  test('the repeat of a command gets the answer of the saved change, and the change happens once', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    await transaction.request(smsToken);
    world.activities.savesOfDeadWorker = 1;
    const code = transaction.codeOfLastMessage(smsToken);
    expect(await untilAnswered((key) => validate(transaction, code, key))).toMatchObject({ status: 'Valid' });
    expect(world.activities.savesOfDeadWorker).toBe(0);
    const state = await transaction.readState();
    expect(statusesOf(state)).toEqual(['Valid']);
    expect(await rejectionOf(untilAnswered((key) => validate(transaction, code, key)))).toEqual([
      'TokenClosed',
      'Used',
    ]);
  });

  test('a wrong code counts once', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    await transaction.request(smsToken);
    world.activities.savesOfDeadWorker = 1;
    const wrong = transaction.codeOfLastMessage(smsToken) === '000000' ? '000001' : '000000';
    expect(await untilAnswered((key) => validate(transaction, wrong, key))).toMatchObject({ status: 'Invalid' });
    expect((await transaction.readState()).attemptsUsed).toBe(1);
  });

  test('a requested message is sent once, and the caller gets the answer', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    world.activities.savesOfDeadWorker = 1;
    expect(await untilAnswered((key) => requestEmail(transaction, key))).toMatchObject({ status: 'Waiting' });
    expect(new Set(transaction.messages().map(({ sendId }) => sendId)).size).toBe(1);
  });

  test('a link whose worker died before it sent the message is sent', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    world.activities.savesOfDeadWorker = 1;
    const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
    const input: BiometricsProposal = {
      biometricsId: randomUUID(),
      tokenHash: randomUUID(),
      expiresAfterMs: 86_400_000,
      language: 'pt-BR',
      channels: ['sms'],
      messages: { sms: text },
      allowedDialCodes: ['55'],
      imageDays: 90,
    };
    const link = await transactions.send(targetOf(transaction), contract.requestBiometrics, { input, identity: [] });
    expect(link.sends.map(({ state }) => state)).toEqual(['accepted']);
    expect(new Set(transaction.messages().map(({ sendId }) => sendId)).size).toBe(1);
  });

  test('a flow run that was started continues', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    world.activities.savesOfDeadWorker = 1;
    const plan = planOf(smsTokenFlow, transaction.id);
    const run = await transactions.send(targetOf(transaction), contract.startFlow, { input: plan, identity: [] });
    expect(run.status).toBe('Running');
    expect((await transaction.readState()).runs).toHaveLength(1);
    expect(new Set(transaction.messages().map(({ sendId }) => sendId)).size).toBe(1);
  });

  test('a change before the first assessment: the next workflow run saves the assessment, also without another command', async () => {
    let allowAssessment = () => {};
    world.activities.firstAssessmentReady = new Promise((resolve) => {
      allowAssessment = resolve;
    });
    const transaction = await world.createTransaction();
    await transaction.request(smsToken);
    world.activities.savesOfDeadWorker = 1;
    const code = transaction.codeOfLastMessage(smsToken);
    expect(await untilAnswered((key) => validate(transaction, code, key))).toMatchObject({ status: 'Valid' });
    expect((await transaction.readState()).scores).toEqual([]);
    allowAssessment();
    const { scores } = await waitUntil(async () => {
      const state = await transaction.readState();
      return state.evidence && state;
    });
    expect(scores.map(({ reason }) => reason)).toEqual(['Initial', 'PhoneChecked']);
    const current = world.reconnect(transaction);
    expect(await current.readView()).toEqual(world.viewOf(await transaction.readState(), await world.now()));
    await replay(await current.fetchHistory());
  });

  test('commands that arrive at the same time are all answered, and no change is lost', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    await transaction.request(smsToken);
    world.activities.savesOfDeadWorker = 2;
    const code = transaction.codeOfLastMessage(smsToken);
    const answers = await Promise.all([
      untilAnswered((key) => validate(transaction, code, key)),
      untilAnswered((key) => requestEmail(transaction, key)),
    ]);
    expect(answers).toMatchObject([{ status: 'Valid' }, { status: 'Waiting' }]);
    const state = await transaction.readState();
    expect(statusesOf(state).toSorted()).toEqual(['Valid', 'Waiting']);
    await waitUntil(async () => (await transactions.read(targetOf(transaction))).source === 'workflow');
    await replay(await world.reconnect(transaction).fetchHistory());
  });
});
