import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/bundle';
import { createWorkers } from '../../worker/create-workers';
import { FakeActivities } from '../support/fake-activities';
import { waitUntil } from '../support/wait-until';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.env.teardown());

it('a hanging activity ends when its worker stops, and another worker repeats the activity', async () => {
  world.activities.verifierReady = new Promise(() => undefined);
  const transaction = await world.createTransaction();
  await transaction.requestLink('a', { facePolicy: { approve: { similarity: 0, liveness: 0 } } });
  await transaction.submitImages('a');
  await waitUntil(() => world.activities.imagesSentToVerifier.length > 0);
  // This fails if the activity continues after the stop timeout.
  await world.stopWorker();

  const activities = new FakeActivities();
  const nextWorker = await createWorkers({
    connection: world.env.nativeConnection,
    namespace: 'default',
    taskQueue: world.taskQueue,
    activities,
    workflowBundle: builtBundle,
    cachedWorkflows: 50,
    logger: createLogger('test', 'silent'),
  });
  const workerRun = nextWorker.run();
  // Temporal repeats an activity of a dead worker only after 75 s. Within 30 s, the stopped worker must have reported the end of its
  // activity.
  await waitUntil(() => activities.imagesSentToVerifier.length > 0, 30_000);
  expect(activities.imagesSentToVerifier).toEqual(world.activities.imagesSentToVerifier);
  nextWorker.shutdown();
  await workerRun;
});
