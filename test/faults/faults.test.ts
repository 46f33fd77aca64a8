import { seed } from '../support/sample';
import { ChaosWorld } from './chaos-world';
import { describeFlowEdits } from './suites/flow-edits.suite';
import { describeFlowKills } from './suites/flow-kills.suite';
import { describeWorkerKills } from './suites/worker-kills.suite';

/** On a busy machine, the five programs of the stack start slowly. */
const startsWithinMs = 180_000;

let world: ChaosWorld | undefined;
beforeAll(async () => {
  world = await ChaosWorld.start();
  console.log(`All random choices come from the seed ${seed} (TEST_SEED).`);
}, startsWithinMs);
afterAll(() => world?.end());

const getWorld = () => {
  if (!world) throw new Error('The stack did not start.');
  return world;
};

describeFlowEdits(getWorld);
describeWorkerKills(getWorld);
describeFlowKills(getWorld);
