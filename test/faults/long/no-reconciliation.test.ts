import { ChaosWorld } from '../chaos-world';
import { runExactKills } from '../exact-kills';

/** A stack starts in some seconds; each exact kill takes six more to settle the send of a dead worker. */
const testWithinMs = 360_000;

// This proves that the tests with reconciliation would detect duplicates.
test(
  'without reconciliation, a worker that is killed during a send doubles messages',
  async () => {
    const world = await ChaosWorld.start({ RECONCILE_SENDS: 'false' });
    try {
      const outcome = await runExactKills(world, {
        name: 'no reconciliation',
        kills: 2,
        statusCallbacks: 'none',
        answerTime: 'when idle',
        flows: ['sms-token'],
      });
      expect(outcome).toMatchObject({ lostFlows: 0, lostMessages: 0, foundAtProvider: 0 });
      expect(outcome.doubledMessages).toBeGreaterThan(0);
    } finally {
      await world.end();
    }
  },
  testWithinMs,
);
