import path from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createImageCleanup } from '../../activities/biometrics/clean-up-images';
import { readAuditEntries } from '../../platform/audit';
import { createFilesStore, objectKeyOf } from '../../images/object-stores';
import { createSealedImages, type SealedImages } from '../../images/sealed-images';
import { createUploads } from '../../images/uploads';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { builtBundle } from '../../worker/bundle';
import { createWorkers } from '../../worker/create-workers';
import { ensureSchedules, runRetention } from '../../worker/retention-schedule';
import type { RetentionActivities, RetentionBatch } from '../../workflows/contract/activities';
import { testKeys } from '../support/build';
import { FakeActivities } from '../support/fake-activities';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { quietRuntime } from '../support/quiet-runtime';
import { replay } from '../support/replay';
import { openOwnDevServer } from '../support/servers/open-environment';

const scheduleId = 'countersign-retention';
const logger = createLogger('test', 'silent');
const folder = mkdtempSync(path.join(tmpdir(), 'countersign-retention-'));
let env: TestWorkflowEnvironment;
let postgres: TestPostgres;
let pool: Pool;
let images: SealedImages;
let cleanUpImages: RetentionActivities['cleanUpImages'];

beforeAll(async () => {
  quietRuntime();
  env = await openOwnDevServer();
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), logger);
  images = createSealedImages(pool, testKeys, createFilesStore(folder));
  const { signal } = new AbortController();
  cleanUpImages = createImageCleanup({ images, uploads: createUploads(pool, testKeys), logger, signal: () => signal });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await env.teardown();
  rmSync(folder, { recursive: true });
});

/** The number of transactions that each of the next batches erases. */
const expiredTransactions: number[] = [];

const schedules = () => env.client.schedule;
const scheduleHandle = () => schedules().getHandle(scheduleId);
afterEach(() => scheduleHandle().delete());

/** Returns a function that stops the worker. */
async function startWorker(
  taskQueue: string,
  cleanUpOnce = cleanUpImages,
  expireOnce: RetentionActivities['eraseExpiredTransactions'] = async () => ({
    transactions: expiredTransactions.shift() ?? 0,
  }),
  cleanUpRows: RetentionActivities['cleanUpRows'] = async () => ({ failed: [] }),
): Promise<() => Promise<void>> {
  const activities = Object.assign(new FakeActivities(), {
    cleanUpImages: cleanUpOnce,
    eraseExpiredTransactions: expireOnce,
    cleanUpRows,
  });
  const connection = env.nativeConnection;
  const worker = await createWorkers({
    connection,
    namespace: 'default',
    taskQueue,
    activities,
    cachedWorkflows: 10,
    workflowBundle: builtBundle,
    logger,
  });
  const workerRun = worker.run();
  return async () => {
    worker.shutdown();
    await workerRun;
  };
}

/** Starts a run by the schedule, and returns the id of its workflow. A paused schedule starts no other run at the full hour. */
async function trigger(): Promise<string> {
  await scheduleHandle().pause();
  const countBefore = (await scheduleHandle().describe()).info.recentActions.length;
  await scheduleHandle().trigger();
  for (;;) {
    const { recentActions } = (await scheduleHandle().describe()).info;
    const newest = recentActions.at(-1);
    if (recentActions.length > countBefore && newest) return newest.action.workflow.workflowId;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const newOwner = () => ({ tenant: 'local', owner: randomUUID() });
const jpeg = randomBytes(4_000);
const saveImage = async (imageOwner: { tenant: string; owner: string }, lifetimeMs: number) => {
  const { id } = await images.save({
    linkId: 'link',
    ...imageOwner,
    kind: 'selfie',
    jpeg,
    deleteAfter: new Date(Date.now() + lifetimeMs),
  });
  return { ...imageOwner, id, file: path.join(folder, objectKeyOf(id)) };
};

async function expectErased(image: Awaited<ReturnType<typeof saveImage>>): Promise<void> {
  expect([await images.read(image), existsSync(image.file)]).toEqual([undefined, false]);
  const [entry, ...others] = await readAuditEntries(pool, image, 10);
  expect(entry).toMatchObject({ actor: 'retention', action: 'images_erased', detail: { count: 1 } });
  expect(others).toEqual([]);
}

describe('the schedule', () => {
  it('several workers create only one schedule, which runs hourly and never twice at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => ensureSchedules(schedules(), 'queue-a')));
    await ensureSchedules(schedules(), 'queue-a');
    const { spec, policies, action, state } = await scheduleHandle().describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 3_600_000 });
    expect(action).toMatchObject({ workflowType: 'retention', taskQueue: 'queue-a' });
    expect(state.paused).toBe(false);
  });

  it('when a worker of another task queue starts, the schedule gets this task queue, and stays paused if it was paused', async () => {
    await ensureSchedules(schedules(), 'queue-a');
    await scheduleHandle().pause('The store is being moved.');
    await ensureSchedules(schedules(), 'queue-a');
    expect((await scheduleHandle().describe()).state).toMatchObject({
      paused: true,
      note: 'The store is being moved.',
    });
    await ensureSchedules(schedules(), 'queue-b');
    const { action, state } = await scheduleHandle().describe();
    expect(action).toMatchObject({ taskQueue: 'queue-b' });
    expect(state).toMatchObject({ paused: true, note: 'The store is being moved.' });
  });

  it('when a worker starts after a manual change of the schedule, the schedule gets its interval and policies back', async () => {
    await ensureSchedules(schedules(), 'queue-a');
    await scheduleHandle().update(({ action, state }) => ({
      action,
      state,
      spec: { intervals: [{ every: '1 day' }] },
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: '1 day' },
    }));
    await ensureSchedules(schedules(), 'queue-a');
    const { spec, policies } = await scheduleHandle().describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 3_600_000 });
  });
});

describe('a run of the schedule', () => {
  it('the retention erases only expired images, and writes this to the audit log', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const [expiredImage, recentImage] = [await saveImage(newOwner(), -1_000), await saveImage(newOwner(), 86_400_000)];
    expiredTransactions.push(200, 3);
    await ensureSchedules(schedules(), taskQueue);
    const stop = await startWorker(taskQueue);
    const run = env.client.workflow.getHandle(await trigger());
    expect(await run.result()).toEqual({ transactions: 203, images: 1, objects: 1, uploads: 0 });
    await expectErased(expiredImage);
    expect([await images.read(recentImage), existsSync(recentImage.file)]).toEqual([jpeg, true]);
    expect(await readAuditEntries(pool, recentImage, 10)).toEqual([]);
    await stop();
    await replay(await run.fetchHistory());
  });

  it('the retention waits while no worker is running, and starts when the next worker starts', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const expiredImage = await saveImage(newOwner(), -1_000);
    await ensureSchedules(schedules(), taskQueue);
    const id = await trigger();
    expect([existsSync(expiredImage.file), await readAuditEntries(pool, expiredImage, 1)]).toEqual([true, []]);
    const stop = await startWorker(taskQueue);
    expect(await env.client.workflow.getHandle(id).result()).toEqual({
      transactions: 0,
      images: 1,
      objects: 1,
      uploads: 0,
    });
    await expectErased(expiredImage);
    await stop();
  });

  it('the retention continues on another worker after its first worker has stopped', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const expiredImage = await saveImage(newOwner(), -1_000);
    await ensureSchedules(schedules(), taskQueue);
    let signalStart = (): void => undefined;
    const firstBatch = new Promise<void>((resolve) => (signalStart = resolve));
    const stopFirst = await startWorker(taskQueue, async () => {
      signalStart();
      throw new Error('The store is not available.');
    });
    const id = await trigger();
    await firstBatch;
    await stopFirst();
    expect(existsSync(expiredImage.file)).toBe(true);
    const stop = await startWorker(taskQueue);
    expect(await env.client.workflow.getHandle(id).result()).toEqual({
      transactions: 0,
      images: 1,
      objects: 1,
      uploads: 0,
    });
    await expectErased(expiredImage);
    await stop();
  });

  it('the retention repeats its batches until a batch finds nothing', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const emptyBatch = { images: 0, objects: 0, uploads: 0 };
    const batches = [
      { ...emptyBatch, images: 1 },
      { ...emptyBatch, objects: 500 },
      { ...emptyBatch, objects: 7 },
      { ...emptyBatch, uploads: 2 },
    ];
    const cleanUpOnce = jest.fn(async () => batches.shift() ?? emptyBatch);
    const stop = await startWorker(taskQueue, cleanUpOnce);
    const result = await env.client.workflow.getHandle(await trigger()).result();
    expect([result, cleanUpOnce.mock.calls.length]).toEqual([
      { transactions: 0, images: 1, objects: 507, uploads: 2 },
      5,
    ]);
    await stop();
  });

  it('the retention skips what it cannot erase, continues with everything else, and fails at its end', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const badTransaction = { tenant: 'local', id: 't' };
    const badImages = { tenant: 'local', id: 'i' };
    const skippedBy: unknown[] = [];
    const batches = [
      { images: 1, objects: 0, uploads: 0, skipped: [badImages] },
      { images: 0, objects: 5, uploads: 0, skipped: [] },
    ];
    const empty = { images: 0, objects: 0, uploads: 0 };
    const cleanUp = async (batch?: RetentionBatch) => {
      skippedBy.push(batch?.skip);
      return batches.shift() ?? empty;
    };
    const expire = async (batch?: RetentionBatch) => {
      skippedBy.push(batch?.skip);
      return batch?.skip?.length ? { transactions: 0 } : { transactions: 7, skipped: [badTransaction] };
    };
    const stop = await startWorker(taskQueue, cleanUp, expire);
    const run = env.client.workflow.getHandle(await trigger());
    await expect(run.result()).rejects.toMatchObject({
      cause: {
        type: 'RetentionIncomplete',
        message: 'Not erased: local/t, local/i',
        details: [{ transactions: 7, images: 1, objects: 5, uploads: 0 }],
      },
    });
    const later = [[badTransaction], [badImages]];
    expect(skippedBy).toEqual([[], [], ...later, ...later]);
    await stop();
    await replay(await run.fetchHistory());
  });

  it('transactions that cannot be erased never hold up others, even if they fill more batches than a workflow run has', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const badBatches = 23;
    const batchOf = (skipCount: number) =>
      Array.from({ length: 200 }, (_, index) => ({ tenant: 'local', id: `bad-${skipCount + index}` }));
    const expire = async (batch?: RetentionBatch) => {
      const skipCount = batch?.skip?.length ?? 0;
      if (skipCount < badBatches * 200) return { transactions: 0, skipped: batchOf(skipCount) };
      return { transactions: goodCounts.shift() ?? 0, skipped: [] };
    };
    const goodCounts = [200, 7];
    const stop = await startWorker(taskQueue, async () => ({ images: 0, objects: 0, uploads: 0 }), expire);
    const run = env.client.workflow.getHandle(await trigger());
    await expect(run.result()).rejects.toMatchObject({
      cause: {
        type: 'RetentionIncomplete',
        message: expect.stringMatching(/^Not erased: local\/bad-0, .*, local\/bad-19 and 4580 more$/),
        details: [{ transactions: 207, images: 0, objects: 0, uploads: 0 }],
      },
    });
    await stop();
    await replay(await run.fetchHistory());
  });

  it('the retention erases everything although some rows cannot be cleaned up, and then fails with their names', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    expiredTransactions.push(7);
    const cleanUp = jest.fn(async () => ({ failed: ['data keys', 'blocks'] }));
    const stop = await startWorker(taskQueue, async () => ({ images: 0, objects: 0, uploads: 0 }), undefined, cleanUp);
    const run = env.client.workflow.getHandle(await trigger());
    await expect(run.result()).rejects.toMatchObject({
      cause: {
        type: 'RetentionIncomplete',
        message: 'Not cleaned up: data keys, blocks',
        details: [{ transactions: 7, images: 0, objects: 0, uploads: 0 }],
      },
    });
    expect(cleanUp).toHaveBeenCalledTimes(1);
    await stop();
    await replay(await run.fetchHistory());
  });

  it('a cleanup that takes long does not delay the erasure', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    let endCleanup = (): void => undefined;
    const erased = new Promise<void>((resolve) => (endCleanup = resolve));
    const expire = async () => {
      endCleanup();
      return { transactions: 0 };
    };
    const stop = await startWorker(
      taskQueue,
      async () => ({ images: 0, objects: 0, uploads: 0 }),
      expire,
      async () => {
        await erased;
        return { failed: [] };
      },
    );
    await env.client.workflow.getHandle(await trigger()).result();
    await stop();
  });

  it('when a worker starts, the retention runs at once, but not while its schedule is paused', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const runs = async () => (await scheduleHandle().describe()).info.recentActions;
    await scheduleHandle().pause('The store is being moved.');
    await runRetention(schedules(), logger);
    await scheduleHandle().unpause();
    expect(await runs()).toEqual([]);
    await runRetention(schedules(), logger);
    while ((await runs()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    const stop = await startWorker(taskQueue);
    await env.client.workflow.getHandle(run?.action.workflow.workflowId ?? '').result();
    await stop();
  });

  it('the retention stops after twenty batches, even if more is left', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const cleanUpForever = jest.fn(async () => ({ images: 3, objects: 4, uploads: 2 }));
    const stop = await startWorker(taskQueue, cleanUpForever);
    const result = await env.client.workflow.getHandle(await trigger()).result();
    expect([result, cleanUpForever.mock.calls.length]).toEqual([
      { transactions: 0, images: 60, objects: 80, uploads: 40 },
      20,
    ]);
    await stop();
  });
});
