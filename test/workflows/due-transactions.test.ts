import { setTimeout as pause } from 'node:timers/promises';
import { DueTransactionResumer } from '../../worker/resume-due';
import { addMs } from '../../domain/transactions/limits';
import { dueAtOf } from '../../domain/transactions/status';
import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { DataErasedError } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { LogLines } from '../support/log-lines';
import { serviceError } from '../support/service-error';
import { waitUntil } from '../support/wait-until';
import { type TestTransaction, World } from '../support/world';

/*
 * A transaction is due when its record should have changed without a command, such as at the end of a wait. If its workflow is gone, because
 * Temporal has lost its data or an operator has terminated the workflow, the transaction is resumed from its record.
 */

// The tests use the real server, because the time-skipping server loses terminated workflows.
let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
const startedResumers: DueTransactionResumer[] = [];
afterEach(() => {
  for (const resumer of startedResumers.splice(0)) resumer.stop();
});
afterAll(() => world.close());

const log = new LogLines();

/**
 * A resumer that claims all of these transactions that are due, without the time of grace. `errors`: what a read of the record throws, by the
 * id of a transaction.
 */
function createResumer(transactions: TestTransaction[], errors: ReadonlyMap<string, Error> = new Map()) {
  const { records } = world.activities;
  const resumer = new DueTransactionResumer({
    client: world.env.client,
    taskQueue: world.taskQueue,
    claimDue: async () =>
      transactions
        .filter(({ id }) => {
          const state = records.get(id);
          const dueAt = state && dueAtOf(state);
          return dueAt !== undefined && dueAt <= new Date().toISOString();
        })
        .map(({ id }) => ({ tenant: 'local', id, version: records.get(id)?.version ?? 0 })),
    findState: async ({ id }) => {
      const error = errors.get(id);
      if (error) throw error;
      return records.get(id);
    },
    logger: createLogger('worker', 'info', log.stream),
  });
  startedResumers.push(resumer);
  return resumer;
}

const waitFlow: FlowDefinition = {
  name: 'wait-for-it',
  version: 1,
  start: 'pause',
  steps: { pause: { kind: 'wait', seconds: 2, then: 'end' }, end: { kind: 'outcome', outcome: 'Done' } },
};
/** For the tests of due transactions whose record cannot be used, the wait need not end. */
const isDue = async (transaction: TestTransaction) =>
  (dueAtOf(await transaction.readState()) ?? '9') <= new Date().toISOString();
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const outcomesOf = async (transaction: TestTransaction) =>
  (await transaction.readState()).runs?.map(({ outcome, status }) => outcome ?? status);
const statusOf = async (transaction: TestTransaction) =>
  (await world.reconnect(transaction).handle.describe()).status.name;

async function createTransaction(): Promise<TestTransaction> {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  return transaction;
}

test('without its workflow, a flow run continues when its wait ends, with the same flow version', async () => {
  const transaction = await createTransaction();
  await transaction.startFlow(waitFlow);
  await transaction.handle.terminate();
  const resumer = createResumer([transaction]);
  await waitUntil(async () => {
    await resumer.check();
    return (await outcomesOf(transaction))?.[0] === 'Done';
  });
  expect(log.lines).toContainEqual(
    expect.objectContaining({ transactionId: transaction.id, msg: 'a due transaction was resumed from its record' }),
  );
  expect(dueAtOf(await transaction.readState())).toBeUndefined();
});

test('without its workflow, a code expires at its time, and its flow run leaves the step', async () => {
  const transaction = await createTransaction();
  await transaction.startFlow(smsTokenFlow);
  await transaction.handle.terminate();
  // As if the lifetime of the code had passed while Temporal was away.
  const state = await transaction.readState();
  const expiresAt = new Date().toISOString();
  world.activities.records.set(transaction.id, {
    ...state,
    confirmations: state.confirmations.map((confirmation) => ({ ...confirmation, expiresAt })),
  });
  const resumer = createResumer([transaction]);
  await waitUntil(async () => {
    await resumer.check();
    return (await outcomesOf(transaction))?.[0] !== 'Running';
  });
  expect((await transaction.readState()).confirmations.map(({ status }) => status)).toEqual(['Expired']);
});

test('a transaction that lost its workflow before its first assessment is assessed, and its record has the score', async () => {
  let allowAssessment = () => {};
  world.activities.firstAssessmentReady = new Promise((resolve) => {
    allowAssessment = resolve;
  });
  const transaction = await world.createTransaction();
  await transaction.request(emailToken);
  await transaction.handle.terminate();
  const state = await transaction.readState();
  world.activities.records.set(transaction.id, { ...state, changedAt: minutesAgo(2) });
  allowAssessment();
  const resumer = createResumer([transaction]);
  await resumer.check();
  await waitUntil(async () => (await transaction.readState()).scores.length === 1);
  expect(await isDue(transaction)).toBe(false);
});

test('without its workflow, a pending message with a link is sent', async () => {
  const transaction = await createTransaction();
  world.activities.deliveryResultFor = () => 'outage';
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  await transaction.requestLink('a', { channels: ['sms'], messages: { sms: text } });
  await transaction.handle.terminate();
  world.activities.deliveryResultFor = () => undefined;
  const state = await transaction.readState();
  world.activities.records.set(transaction.id, { ...state, changedAt: minutesAgo(2) });
  await createResumer([transaction]).check();
  const readSendState = async () => (await transaction.readState()).biometrics?.[0]?.sends[0]?.state;
  await waitUntil(async () => (await readSendState()) === 'accepted');
  // An attempt of the terminated workflow may still end. The same message has the same id, so the person gets it once.
  expect(new Set(transaction.messages().map(({ sendId }) => sendId))).toEqual(new Set(['a.sms']));
});

test('a workflow that runs but is behind its record continues from the record', async () => {
  const transaction = await createTransaction();
  await transaction.request(smsToken);
  const state = await transaction.readState();
  const record = {
    ...state,
    version: state.version + 5,
    changedAt: new Date().toISOString(),
    confirmations: state.confirmations.map((one) => ({ ...one, expiresAt: new Date().toISOString() })),
  };
  world.activities.records.set(transaction.id, record);
  const resumer = createResumer([transaction]);
  await waitUntil(async () => {
    await resumer.check();
    return (await transaction.readState()).version > record.version;
  });
  expect((await transaction.readState()).confirmations.map(({ status }) => status)).toEqual(['Expired']);
});

test('a transaction is due only while something can change without a command', async () => {
  const transaction = await createTransaction();
  expect(dueAtOf(await transaction.readState())).toBeUndefined();
  await transaction.request(emailToken);
  const [confirmation] = (await transaction.readState()).confirmations;
  expect(dueAtOf(await transaction.readState())).toBe(confirmation?.expiresAt);
  await transaction.answer(emailToken, transaction.codeOfLastMessage(emailToken));
  expect(dueAtOf(await transaction.readState())).toBeUndefined();
});

describe('work that may take long is due only at its own limit', () => {
  test('a notify step whose event no webhook has accepted yet', async () => {
    const transaction = await createTransaction();
    world.activities.webhookResultFor = () => 'outage';
    await transaction.startFlow({
      name: 'tell',
      version: 1,
      start: 'tell',
      steps: {
        tell: {
          kind: 'notify',
          event: 'tell.now',
          giveUpAfterSeconds: 600,
          exits: { Delivered: 'end', Failed: 'end' },
        },
        end: { kind: 'outcome', outcome: 'Done' },
      },
    });
    const state = await transaction.readState();
    expect(dueAtOf(state)).toBe(addMs(state.runs?.[0]?.path[0]?.enteredAt ?? '', 600_000));
    world.activities.webhookResultFor = () => undefined;
  });

  test('images whose faces the verifier checks', async () => {
    const transaction = await createTransaction();
    world.activities.faceOutages = 1_000;
    await transaction.requestLink('a', { facePolicy: {} });
    await transaction.submitImages('a');
    const state = await transaction.readState();
    expect(dueAtOf(state)).toBe(addMs(state.biometrics?.[0]?.submittedAt ?? '', 3_600_000));
    world.activities.faceOutages = 0;
  });
});

test('a workflow that runs is not started again', async () => {
  const transaction = await createTransaction();
  await transaction.startFlow(waitFlow);
  const { runId } = await transaction.handle.describe();
  await waitUntil(() =>
    isDue(transaction).then((due) => due || outcomesOf(transaction).then((all) => all?.[0] === 'Done')),
  );
  await createResumer([transaction]).check();
  expect((await world.reconnect(transaction).handle.describe()).runId).toBe(runId);
});

test('a workflow that runs is told the version of its record, and is not logged as resumed', async () => {
  const transaction = await createTransaction();
  world.activities.deliveryResults.push('outage', 'outage', 'outage');
  await transaction.request(smsToken);
  const record = await transaction.readState();
  world.activities.records.set(transaction.id, { ...record, changedAt: minutesAgo(2) });
  await createResumer([transaction]).check();
  const { events } = await transaction.fetchHistory();
  expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(1);
  expect(log.lines.filter(({ transactionId }) => transactionId === transaction.id)).toEqual([]);
});

test.each([
  ['a record that cannot be read', new Error('the record cannot be read'), 'retrying'],
  ['a start that Temporal rejects', serviceError(3, 'INVALID_ARGUMENT'), 'retrying'],
  ['an erased transaction', new DataErasedError({ tenant: 'local', owner: 'x' }), undefined],
])('if one transaction cannot be resumed, the others are still resumed: %s', async (_, error, logged) => {
  const [failing, other] = [await createTransaction(), await createTransaction()];
  for (const transaction of [failing, other]) {
    await transaction.startFlow(waitFlow);
    await transaction.handle.terminate();
  }
  await waitUntil(async () => (await isDue(failing)) && (await isDue(other)));
  await createResumer([failing, other], new Map([[failing.id, error]])).check();
  expect(await statusOf(other)).toBe('RUNNING');
  expect(await statusOf(failing)).toBe('TERMINATED');
  const lines = log.lines.filter(({ workflowId }) => String(workflowId).includes(failing.id));
  expect(lines.map(({ msg }) => msg)).toEqual(logged ? [expect.stringContaining(logged)] : []);
  await createResumer([failing]).check();
  expect(await statusOf(failing)).toBe('RUNNING');
});

test('an outage ends the check, and is logged once, not once for each transaction', async () => {
  const transactions = [await createTransaction(), await createTransaction()];
  for (const transaction of transactions) {
    await transaction.startFlow(waitFlow);
    await transaction.handle.terminate();
  }
  await waitUntil(async () => (await Promise.all(transactions.map(isDue))).every(Boolean));
  const outage = Object.assign(new Error('going down'), { code: '57P01' });
  const countBefore = log.lines.length;
  await createResumer(transactions, new Map(transactions.map(({ id }) => [id, outage]))).check();
  await pause(100);
  expect(log.lines.slice(countBefore).map(({ msg }) => msg)).toEqual(['the search for due transactions failed']);
});
