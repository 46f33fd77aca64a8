import { normalOrLong, seed } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { runFailover } from '../providers/run-failover';
import type { TwoProviders } from '../providers/two-providers';

const testWithinMs = 180_000;

const plan = normalOrLong(
  { messages: 40, kills: 1, longestFaultMs: 1_000 },
  { messages: 200, kills: 6, longestFaultMs: 3_000 },
);

/** Makes two providers fail in turn, and kills a worker between the acceptance of a message and the answer. */
export function describeFailover(getWorld: () => ChaosWorld, getProviders: () => TwoProviders): void {
  describe('two providers that fail in turn', () => {
    it(
      'each person gets one code, also if the worker is killed after a provider has accepted it',
      async () => {
        const result = await runFailover(getWorld(), getProviders(), { ...plan, seed });
        if (result.findings.length > 0) console.log(getWorld().readLoggedErrors().join('\n'));
        expect(result).toMatchObject({ messages: plan.messages, kills: plan.kills, lost: 0, doubled: 0, findings: [] });
        // The answer and the receipt of the first killed message are lost, so only a search can show that a provider has it.
        expect(result.found).toBeGreaterThan(0);
      },
      testWithinMs,
    );
  });
}
