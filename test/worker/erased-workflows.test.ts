import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { newState } from '../../domain/transactions/state';
import { DataErasedError, type DataOwner } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { ensureSearchAttributes } from '../../platform/temporal/search-attributes';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { createErasedWorkflowEnder } from '../../worker/erased-workflows';
import { dataOwnerOf, transactionWorkflowId, workflowType } from '../../workflows/contract/ids';
import { requestConfirmation } from '../../workflows/contract/commands';
import { searchAttributes, type TransactionStart } from '../../workflows/contract/start';
import { smsToken } from '../../flows/confirmations';
import { person, propose } from '../support/build';
import { FakeActivities } from '../support/fake-activities';
import { quietRuntime } from '../support/quiet-runtime';
import { openDevServer } from '../support/servers/open-environment';
import { waitUntil } from '../support/wait-until';

const logger = createLogger('test', 'silent');
const taskQueue = `test-${randomUUID()}`;
const activities = new FakeActivities();
/** The data keys, by the id of the transaction. */
const keys = new Map<string, Buffer>();
/** If true, keys cannot be read, as in an outage of Postgres while the key is not in memory. */
let isUnavailable = false;
const workerKeys = {
  get: async ({ tenant, owner }: DataOwner) => {
    if (isUnavailable) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const key = keys.get(owner);
    if (!key) throw new DataErasedError({ tenant, owner });
    return key;
  },
};
const converterOptions = { ownerOf: dataOwnerOf, encrypts: true };

let env: TestWorkflowEnvironment;
let worker: WorkerGroup;
let workerRun: Promise<void>;
beforeAll(async () => {
  quietRuntime();
  env = await openDevServer('temporal');
  await ensureSearchAttributes(
    env.connection,
    { TEMPORAL_ADDRESS: env.address, TEMPORAL_NAMESPACE: 'default' },
    Object.values(searchAttributes),
  );
  const onErased = createErasedWorkflowEnder(new Client({ connection: env.nativeConnection }), logger);
  worker = await createWorkers({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities,
    cachedWorkflows: 50,
    workflowBundle: builtBundle,
    dataConverter: createDataConverter({ ...converterOptions, transactionKeys: workerKeys, onErased }),
    onErased,
    logger,
  });
  workerRun = worker.run();
});
beforeEach(() => {
  activities.savesToFail = 0;
  isUnavailable = false;
});
afterAll(async () => {
  activities.savesToFail = 0;
  worker.shutdown();
  await workerRun;
  await env.teardown();
});

/** With `isErased`, an erasure comes after the input is encrypted, and before the workflow starts. */
async function startTransaction({ isErased = false } = {}) {
  const id = randomUUID();
  const key = randomBytes(32);
  if (!isErased) keys.set(id, key);
  const transactionKeys = { get: async () => key };
  const client = new Client({
    connection: env.connection,
    dataConverter: createDataConverter({ ...converterOptions, transactionKeys }),
  });
  const state = newState({ tenant: 'local', id, input: person, createdAt: new Date().toISOString() });
  activities.records.set(id, state);
  const handle = await client.workflow.start<(start: TransactionStart) => Promise<void>>(workflowType, {
    workflowId: transactionWorkflowId('local', id),
    taskQueue,
    args: [{ state }],
  });
  return { id, statusOf: async () => (await handle.describe()).status.name, handle };
}

/** Makes all saves of records fail, and waits until the activity `saveRecord` is retried. */
async function startUnsavedTransaction() {
  const transaction = await startTransaction();
  await waitUntil(() => activities.records.get(transaction.id)?.evidence);
  activities.savesToFail = 1_000;
  await transaction.handle.startUpdate(requestConfirmation, {
    args: [propose(smsToken, transaction.id), { fingerprint: 'one', rememberResponse: false }],
    waitForStage: 'ACCEPTED',
  });
  await waitUntil(async () => {
    const { raw } = await transaction.handle.describe();
    return (raw.pendingActivities ?? []).some(
      ({ activityType, attempt }) => activityType?.name === 'saveRecord' && (attempt ?? 0) > 1,
    );
  });
  return transaction;
}

const expectNextTransactionSaved = async () => {
  const { id } = await startTransaction();
  await waitUntil(() => activities.records.get(id)?.evidence);
  expect(worker.isRunning()).toBe(true);
};

test('if an activity of an erased transaction cannot be decrypted, the worker ends the workflow and continues with others', async () => {
  const { id, statusOf } = await startUnsavedTransaction();
  keys.delete(id);
  await waitUntil(async () => (await statusOf()) === 'TERMINATED');
  activities.savesToFail = 0;
  await expectNextTransactionSaved();
});

test('if an activity finds its transaction erased while the key is still in memory, the worker ends the workflow', async () => {
  const { id, handle, statusOf } = await startTransaction();
  await waitUntil(() => activities.records.get(id)?.evidence);
  activities.beforeSaving = async (state) => {
    if (state.id === id) throw new DataErasedError({ tenant: 'local', owner: id });
  };
  const request = handle.executeUpdate(requestConfirmation, {
    args: [propose(smsToken, id), { fingerprint: 'one', rememberResponse: false }],
  });
  await request.catch(() => undefined);
  await waitUntil(async () => (await statusOf()) === 'TERMINATED');
  await expectNextTransactionSaved();
});

test('the worker ends a workflow that a request has started after the erasure', async () => {
  const { statusOf } = await startTransaction({ isErased: true });
  await waitUntil(async () => (await statusOf()) === 'TERMINATED');
  await expectNextTransactionSaved();
});

test('a worker that cannot read a key during an outage continues after the outage', async () => {
  const { id } = await startUnsavedTransaction();
  isUnavailable = true;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(worker.isRunning()).toBe(true);
  isUnavailable = false;
  activities.savesToFail = 0;
  await waitUntil(async () => (activities.records.get(id)?.confirmations.length ?? 0) > 0);
  await expectNextTransactionSaved();
});
