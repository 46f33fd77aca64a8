import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createImageCleanup } from '../../activities/images/clean-up-images';
import { readAudit } from '../../platform/audit';
import { createFilesStore } from '../../platform/images/files-store';
import { keyOf } from '../../platform/images/image-ids';
import { createSealedImages, type SealedImages } from '../../platform/images/sealed-images';
import { createUploads } from '../../platform/images/uploads';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres';
import { builtBundle } from '../../worker/built-bundle';
import { createWorker } from '../../worker/create-worker';
import { ensureSchedules } from '../../worker/ensure-schedules';
import type { RetentionActivities } from '../../workflows/ports';
import { testKeys } from '../support/build';
import { FakeActivities } from '../support/fake-activities';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { quietRuntime } from '../support/quiet-runtime';
import { replay } from '../support/replay';

const scheduleId = 'countersign-image-retention';
const logger = createLogger('test', 'silent');
const folder = mkdtempSync(path.join(tmpdir(), 'countersign-retention-'));
let env: TestWorkflowEnvironment;
let postgres: TestPostgres;
let pool: Pool;
let images: SealedImages;
let cleanUpImages: RetentionActivities['cleanUpImages'];

beforeAll(async () => {
  quietRuntime();
  const server = process.env['TEMPORAL_CLI_PATH'];
  if (!server) throw new Error('TEMPORAL_CLI_PATH is not set: run the tests by npm test.');
  env = await TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path: server } } });
  postgres = await startPostgres();
  pool = openPool(await postgres.freshDatabase(), logger);
  images = createSealedImages(pool, testKeys, createFilesStore(folder));
  const { signal } = new AbortController();
  cleanUpImages = createImageCleanup({ images, uploads: createUploads(pool, testKeys), signal: () => signal });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await env.teardown();
  rmSync(folder, { recursive: true });
});

const schedules = () => env.client.schedule;
const handle = () => schedules().getHandle(scheduleId);
afterEach(() => handle().delete());

/** Runs a worker of a queue until `stop`. */
async function startWorker(taskQueue: string, cleanUpOnce = cleanUpImages): Promise<() => Promise<void>> {
  const activities = Object.assign(new FakeActivities(), { cleanUpImages: cleanUpOnce });
  const connection = env.nativeConnection;
  const worker = await createWorker({
    connection,
    namespace: 'default',
    taskQueue,
    activities,
    cachedWorkflows: 10,
    workflowBundle: builtBundle,
    logger,
  });
  const run = worker.run();
  return async () => {
    worker.shutdown();
    await run;
  };
}

/** Starts a run like the schedule, and returns its id. */
async function trigger(): Promise<string> {
  const before = (await handle().describe()).info.recentActions.length;
  await handle().trigger();
  for (;;) {
    const { recentActions } = (await handle().describe()).info;
    const newest = recentActions.at(-1);
    if (recentActions.length > before && newest) return newest.action.workflow.workflowId;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const owner = () => ({ tenant: 'local', owner: randomUUID() });
const jpeg = randomBytes(4_000);
const keep = async (of: { tenant: string; owner: string }, inMs: number) => {
  const { id } = await images.save({ ...of, kind: 'Face', jpeg, deleteAfter: new Date(Date.now() + inMs) });
  return { ...of, id, file: path.join(folder, keyOf(id)) };
};

async function expectErased(image: Awaited<ReturnType<typeof keep>>): Promise<void> {
  expect([await images.read(image), existsSync(image.file)]).toEqual([undefined, false]);
  const [entry, ...others] = await readAudit(pool, image, 10);
  expect(entry).toMatchObject({ actor: 'retention', action: 'images_erased', detail: { count: 1 } });
  expect(others).toEqual([]);
}

describe('the schedule', () => {
  it('is created once by any number of workers, runs hourly and never overlaps', async () => {
    await Promise.all([1, 2, 3].map(() => ensureSchedules(schedules(), 'queue-a')));
    await ensureSchedules(schedules(), 'queue-a');
    const { spec, policies, action, state } = await handle().describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 3_600_000 });
    expect(action).toMatchObject({ workflowType: 'imageRetention', taskQueue: 'queue-a' });
    expect(state.paused).toBe(false);
  });

  it('is updated with the settings, and stays paused', async () => {
    await ensureSchedules(schedules(), 'queue-a');
    await handle().pause('The store is being moved.');
    await ensureSchedules(schedules(), 'queue-a');
    expect((await handle().describe()).state).toMatchObject({ paused: true, note: 'The store is being moved.' });
    await ensureSchedules(schedules(), 'queue-b');
    const { action, state } = await handle().describe();
    expect(action).toMatchObject({ taskQueue: 'queue-b' });
    expect(state).toMatchObject({ paused: true, note: 'The store is being moved.' });
  });

  it('is restored after a manual change', async () => {
    await ensureSchedules(schedules(), 'queue-a');
    await handle().update(({ action, state }) => ({
      action,
      state,
      spec: { intervals: [{ every: '1 day' }] },
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: '1 day' },
    }));
    await ensureSchedules(schedules(), 'queue-a');
    const { spec, policies } = await handle().describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 3_600_000 });
  });
});

describe('a run', () => {
  it('erases the expired image and no other, and logs it', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const [due, recent] = [await keep(owner(), -1_000), await keep(owner(), 86_400_000)];
    await ensureSchedules(schedules(), taskQueue);
    const stop = await startWorker(taskQueue);
    const run = env.client.workflow.getHandle(await trigger());
    expect(await run.result()).toEqual({ images: 1, objects: 1, uploads: 0 });
    await expectErased(due);
    expect([await images.read(recent), existsSync(recent.file)]).toEqual([jpeg, true]);
    expect(await readAudit(pool, recent, 10)).toEqual([]);
    await stop();
    await replay(await run.fetchHistory());
  });

  it('that was due without a worker runs when one starts', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const due = await keep(owner(), -1_000);
    await ensureSchedules(schedules(), taskQueue);
    const id = await trigger();
    expect([existsSync(due.file), await readAudit(pool, due, 1)]).toEqual([true, []]);
    const stop = await startWorker(taskQueue);
    expect(await env.client.workflow.getHandle(id).result()).toEqual({ images: 1, objects: 1, uploads: 0 });
    await expectErased(due);
    await stop();
  });

  it('continues on another worker after the first one stops', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const due = await keep(owner(), -1_000);
    await ensureSchedules(schedules(), taskQueue);
    let began = (): void => undefined;
    const firstBatch = new Promise<void>((resolve) => (began = resolve));
    const stopFirst = await startWorker(taskQueue, async () => {
      began();
      throw new Error('The store is not available.');
    });
    const id = await trigger();
    await firstBatch;
    await stopFirst();
    expect(existsSync(due.file)).toBe(true);
    const stop = await startWorker(taskQueue);
    expect(await env.client.workflow.getHandle(id).result()).toEqual({ images: 1, objects: 1, uploads: 0 });
    await expectErased(due);
    await stop();
  });

  it('continues while objects or uploads are left', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const none = { images: 0, objects: 0, uploads: 0 };
    const batches = [
      { ...none, images: 1 },
      { ...none, objects: 500 },
      { ...none, objects: 7 },
      { ...none, uploads: 2 },
    ];
    const cleanUpOnce = jest.fn(async () => batches.shift() ?? none);
    const stop = await startWorker(taskQueue, cleanUpOnce);
    const result = await env.client.workflow.getHandle(await trigger()).result();
    expect([result, cleanUpOnce.mock.calls.length]).toEqual([{ images: 1, objects: 507, uploads: 2 }, 5]);
    await stop();
  });

  it('stops after twenty batches', async () => {
    const taskQueue = `test-${randomUUID()}`;
    await ensureSchedules(schedules(), taskQueue);
    const endless = jest.fn(async () => ({ images: 3, objects: 4, uploads: 2 }));
    const stop = await startWorker(taskQueue, endless);
    const result = await env.client.workflow.getHandle(await trigger()).result();
    expect([result, endless.mock.calls.length]).toEqual([{ images: 60, objects: 80, uploads: 40 }, 20]);
    await stop();
  });
});
