import { ChaosWorld } from '../chaos-world';
import { runExactKills } from '../exact-kills';

/** After each kill, the next worker needs six seconds to finish the send. */
const testWithinMs = 360_000;

// This test proves that the other tests of kills can detect doubled messages.
test(
  'without reconciliation, a worker that is killed during a send doubles messages',
  async () => {
    const world = await ChaosWorld.start({ RECONCILE_SENDS: 'false' });
    try {
      const result = await runExactKills(world, {
        name: 'no reconciliation',
        kills: 2,
        statusCallbacks: 'none',
        answerTime: 'when idle',
        confirmations: ['sms-token'],
      });
      expect(result).toMatchObject({ lostConfirmations: 0, lostMessages: 0, sendsFoundAtProvider: 0 });
      expect(result.doubledMessages).toBeGreaterThan(0);
    } finally {
      await world.end();
    }
  },
  testWithinMs,
);
