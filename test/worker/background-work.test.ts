import { smsToken } from '../../flows/confirmations';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
});
afterAll(() => world.close());

/** More activities than one SDK worker runs at once. */
const hangingCount = 105;
/** The number of concurrent submissions: more would be slow on a busy machine. */
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
  // Without a free slot, the request above would also get a response, but its message would not be sent.
  expect(transaction.messages()).toHaveLength(1);

  releaseVerifier();
  while (activities.imagesSentToVerifier.length < hangingCount) await new Promise((resolve) => setTimeout(resolve, 50));
});
