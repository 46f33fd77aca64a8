import { smsToken } from '../../flows/confirmations';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open('real');
});
afterAll(() => world.close());

/** More activities than one SDK worker runs at once. */
const stalled = 105;
/** The number of concurrent submissions: more would be slow on a busy machine. */
const batch = 5;

it('a face verifier that hangs on a hundred transactions does not delay messages', async () => {
  const { activities } = world;
  let answer = (): void => undefined;
  activities.verifierReady = new Promise((resolve) => (answer = resolve));
  const submitImages = async () => {
    const transaction = await world.transaction();
    await transaction.link('a', { facePolicy: { approve: { similarity: 1, liveness: 1 } } });
    await transaction.submitImages('a');
  };
  for (let left = stalled; left > 0; left -= batch) await Promise.all(Array.from({ length: batch }, submitImages));
  expect(activities.verifiedImages.length).toBeGreaterThan(0);

  const transaction = await world.transaction();
  await transaction.request(smsToken);
  // The response always arrives; the message is sent only after its activity got a slot.
  expect(transaction.messages()).toHaveLength(1);

  answer();
  while (activities.verifiedImages.length < stalled) await new Promise((resolve) => setTimeout(resolve, 50));
});
