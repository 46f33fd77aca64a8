import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/stack/free-port';
import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { createReadiness, serveHealth } from '../../worker/readiness';
import { waitUntil } from '../support/wait-until';
import { World } from '../support/world';

/** How long a test waits for a worker that must not get ready. A worker that is ready completes a workflow task in much less time. */
const observationMs = 2_000;

let world: World;
let worker: WorkerGroup;
let workerRun: Promise<void>;

beforeAll(async () => {
  world = await World.open('temporal');
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

const answering: { query: () => Promise<unknown> } = { query: async () => undefined };
type Probed = Parameters<typeof createReadiness>[1];

/** Serves the health of a worker. `changes`: other connections to Postgres and Temporal. */
async function serve(observedWorker: WorkerGroup, changes: Partial<Probed> = {}) {
  const port = await findFreePort();
  const isReady = createReadiness(observedWorker, {
    pool: answering as Probed['pool'],
    connection: world.env.nativeConnection,
    client: world.env.client.workflow,
    namespace: 'default',
    ...changes,
  });
  const stopServing = serveHealth({ host: '127.0.0.1', port }, isReady);
  const readStatus = async (path = '/health/ready', method = 'GET') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
  return { readStatus, stopServing };
}

/** Returns the last status, after `withinMs` at the latest. */
async function readStatusUntil(
  observedWorker: WorkerGroup,
  expectedStatus: number,
  withinMs: number,
  changes: Partial<Probed> = {},
): Promise<number> {
  const { readStatus, stopServing } = await serve(observedWorker, changes);
  const deadline = Date.now() + withinMs;
  let status = 0;
  while (status !== expectedStatus && Date.now() < deadline) {
    status = await readStatus();
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

test('a worker that was ready is not ready while Postgres is away, and ready again afterwards', async () => {
  let isAway = false;
  const query = () => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve());
  const { readStatus, stopServing } = await serve(worker, { pool: { query } as unknown as Probed['pool'] });
  await waitUntil(async () => (await readStatus()) === 200, 20_000);
  isAway = true;
  await waitUntil(async () => (await readStatus()) === 503);
  isAway = false;
  await waitUntil(async () => (await readStatus()) === 200);
  stopServing();
});

test.each<[string, () => Promise<unknown>]>([
  ['Temporal is away', () => Promise.reject(new Error('UNAVAILABLE'))],
  ['Temporal does not answer', () => new Promise(() => undefined)],
])('a worker is not ready if %s', async (_, describeTaskQueue) => {
  const connection = { workflowService: { describeTaskQueue } } as unknown as Probed['connection'];
  expect(await readStatusUntil(worker, 200, observationMs, { connection })).toBe(503);
});

test('a worker whose namespace was deleted is not ready', async () => {
  expect(await readStatusUntil(worker, 200, observationMs, { namespace: 'gone' })).toBe(503);
});

test('only the documented paths answer', async () => {
  const { observedWorker, stop } = createRunningWorker({ taskQueue: 'nobody' });
  const { readStatus, stopServing } = await serve(observedWorker);
  expect(await readStatus('/health/live')).toBe(200);
  expect(await readStatus('/health/ready?probe=1')).toBe(503);
  expect([await readStatus('/'), await readStatus('/health'), await readStatus('/health/ready', 'POST')]).toEqual([
    404, 404, 404,
  ]);
  stop();
  stopServing();
});
