import { seed } from '../../support/sample';
import { ChaosWorld } from '../chaos-world';
import { runExactKills } from '../exact-kills';
import { runFailover } from '../providers/run-failover';
import { TwoProviders } from '../providers/two-providers';

/** After each kill, the next worker needs six seconds to finish the send. */
const testWithinMs = 360_000;

// These tests prove that the other tests of kills can detect doubled messages.
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

test(
  'without reconciliation, providers that fail in turn double messages',
  async () => {
    const providers = await TwoProviders.open('infobip');
    const world = await ChaosWorld.start({ MESSAGING: providers.messaging, RECONCILE_SENDS: 'false' });
    try {
      providers.connectTo(world);
      const result = await runFailover(world, providers, { messages: 40, kills: 2, longestFaultMs: 1_000, seed });
      expect(result).toMatchObject({ lost: 0, found: 0 });
      expect(result.doubled).toBeGreaterThan(0);
    } finally {
      await world.end();
      await providers.close();
    }
  },
  testWithinMs,
);
