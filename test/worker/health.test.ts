import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/stack/free-port';
import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { serveHealth } from '../../worker/health';
import { World } from '../support/world';

/** How long a test waits for a worker that must not get ready. A worker that is ready completes a workflow task in much less time. */
const observationMs = 2_000;

let world: World;
let worker: WorkerGroup;
let workerRun: Promise<void>;

beforeAll(async () => {
  world = await World.open();
  worker = await createWorkers({
    connection: world.env.nativeConnection,
    namespace: 'default',
    taskQueue: 'health',
    activities: world.activities,
    workflowBundle: builtBundle,
    cachedWorkflows: 10,
    logger: createLogger('test', 'silent'),
  });
  workerRun = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await workerRun;
  await world.close();
});

/** Returns the last status, after `withinMs` at the latest. */
async function readStatusUntil(observedWorker: WorkerGroup, expectedStatus: number, withinMs: number): Promise<number> {
  const port = await findFreePort();
  const stopServing = serveHealth(observedWorker, world.env.client.workflow, port);
  const deadline = Date.now() + withinMs;
  let status = 0;
  while (status !== expectedStatus && Date.now() < deadline) {
    status = (await fetch(`http://127.0.0.1:${port}`)).status;
    await sleep(50);
  }
  stopServing();
  return status;
}

/** A worker that runs until `stop`, and differs from `worker` in these options. */
function createRunningWorker(options: Partial<WorkerGroup>): { observedWorker: WorkerGroup; stop: () => void } {
  let running = true;
  const observedWorker = { ...worker, ...options, isRunning: () => running };
  return {
    observedWorker,
    stop: () => {
      running = false;
    },
  };
}

test('a worker is ready once it has completed a workflow task', async () => {
  expect(await readStatusUntil(worker, 200, 20_000)).toBe(200);
});

test.each([
  ['completes no workflow task', { taskQueue: 'nobody' }],
  ['leaves its workflow tasks to another worker on the same task queue', { identity: 'another@host' }],
])('a running worker that %s is not ready', async (_, options) => {
  const { observedWorker, stop } = createRunningWorker(options);
  expect(await readStatusUntil(observedWorker, 200, observationMs)).toBe(503);
  stop();
});
