import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/stack/free-port';
import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/built-bundle';
import { createWorker, type WorkerPair } from '../../worker/create-worker';
import { serveHealth } from '../../worker/health';
import { World } from '../support/world';

/** Long enough for an idle worker to complete its task many times. */
const observedMs = 2_000;

let world: World;
let worker: WorkerPair;
let stopped: Promise<void>;

beforeAll(async () => {
  world = await World.open();
  worker = await createWorker({
    connection: world.env.nativeConnection,
    namespace: 'default',
    taskQueue: 'health',
    activities: world.activities,
    workflowBundle: builtBundle,
    cachedWorkflows: 10,
    logger: createLogger('test', 'silent'),
  });
  stopped = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await stopped;
  await world.close();
});

/** The health responses of a worker, until one is `wanted` or the time is over. */
async function observe(observed: WorkerPair, expectedStatus: number, withinMs: number): Promise<number> {
  const port = await findFreePort();
  const end = serveHealth(observed, world.env.client.workflow, port);
  const deadline = Date.now() + withinMs;
  let status = 0;
  while (status !== expectedStatus && Date.now() < deadline) {
    status = (await fetch(`http://127.0.0.1:${port}`)).status;
    await sleep(50);
  }
  end();
  return status;
}

/** A worker like ours, except for these options. */
function runningWorker(options: Partial<WorkerPair>): { observed: WorkerPair; stop: () => void } {
  let runs = true;
  const observed = { ...worker, ...options, isRunning: () => runs };
  return {
    observed,
    stop: () => {
      runs = false;
    },
  };
}

test('a worker is ready once it has completed a workflow task', async () => {
  expect(await observe(worker, 200, 20_000)).toBe(200);
});

test.each([
  ['completes no workflow task', { taskQueue: 'nobody' }],
  ['leaves its workflow tasks to another on the same queue', { identity: 'another@host' }],
])('a running worker that %s is not ready', async (_, options) => {
  const { observed, stop } = runningWorker(options);
  expect(await observe(observed, 200, observedMs)).toBe(503);
  stop();
});
