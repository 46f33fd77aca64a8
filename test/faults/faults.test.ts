import { seed } from '../support/sample';
import { ChaosWorld } from './chaos-world';
import { TwoProviders } from './providers/two-providers';
import { describeFailover } from './suites/failover.suite';
import { describeFlowEdits } from './suites/flow-edits.suite';
import { describeFlowKills } from './suites/flow-kills.suite';
import { describeWorkerKills } from './suites/worker-kills.suite';

/** On a busy machine, the five programs of the stack start slowly. */
const startsWithinMs = 180_000;

let world: ChaosWorld | undefined;
let providers: TwoProviders | undefined;
beforeAll(async () => {
  providers = await TwoProviders.open('twilio');
  world = await ChaosWorld.start({ MESSAGING: providers.messaging });
  providers.connectTo(world);
  console.log(`All random choices come from the seed ${seed} (TEST_SEED).`);
}, startsWithinMs);
afterAll(async () => {
  await world?.end();
  await providers?.close();
});

const getWorld = () => {
  if (!world) throw new Error('The stack did not start.');
  return world;
};

describeFlowEdits(getWorld);
describeWorkerKills(getWorld);
describeFlowKills(getWorld);
describeFailover(getWorld, () => {
  if (!providers) throw new Error('The providers did not start.');
  return providers;
});
