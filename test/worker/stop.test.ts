import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/built-bundle';
import { createWorker } from '../../worker/create-worker';
import { FakeActivities } from '../support/fake-activities';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterAll(() => world.env.teardown());

it('a hanging attempt ends when its worker stops, and another worker repeats it', async () => {
  world.activities.verifierReady = new Promise(() => undefined);
  const transaction = await world.transaction();
  await transaction.link('a', { facePolicy: { approve: { similarity: 0, liveness: 0 } } });
  await transaction.submitImages('a');
  while (world.activities.verifiedImages.length === 0) await sleep(50);
  // Rejects when an attempt continues after the stop timeout.
  await world.stopWorker();

  const activities = new FakeActivities();
  const next = await createWorker({
    connection: world.env.nativeConnection,
    namespace: 'default',
    taskQueue: world.taskQueue,
    activities,
    workflowBundle: builtBundle,
    cachedWorkflows: 50,
    logger: createLogger('test', 'silent'),
  });
  const run = next.run();
  // Not after the 75 s in which the attempt of a dead worker counts as lost.
  for (let left = 300; left > 0 && activities.verifiedImages.length === 0; left -= 1) await sleep(100);
  expect(activities.verifiedImages).toEqual(world.activities.verifiedImages);
  next.shutdown();
  await run;
});
