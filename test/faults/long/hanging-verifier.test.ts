import { smsToken } from '../../../flows/confirmations';
import { World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.close());

/** By default, the SDK runs at most 100 activities of a task queue at once. So the requests would fill the queue of the messages. */
const hangingCount = 105;
/** With more transactions at once, a busy machine would be slow. */
const batchSize = 5;

it('a face verifier that hangs on a hundred transactions does not delay messages', async () => {
  const { activities } = world;
  let releaseVerifier = (): void => undefined;
  activities.verifierReady = new Promise((resolve) => (releaseVerifier = resolve));
  const submitImages = async () => {
    const transaction = await world.createTransaction();
    await transaction.requestLink('a', { facePolicy: { approve: { similarity: 1, liveness: 1 } } });
    await transaction.submitImages('a');
  };
  for (let remaining = hangingCount; remaining > 0; remaining -= batchSize)
    await Promise.all(Array.from({ length: batchSize }, submitImages));
  expect(activities.imagesSentToVerifier.length).toBeGreaterThan(0);

  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  // If the worker could run no more activities, the request would still get a response, but no message would be sent.
  expect(transaction.messages()).toHaveLength(1);

  releaseVerifier();
  while (activities.imagesSentToVerifier.length < hangingCount) await new Promise((resolve) => setTimeout(resolve, 50));
});
