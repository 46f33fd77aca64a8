import { normalOrLong } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { runExactKills } from '../exact-kills';
import { confirmationRotation, runRandomKills } from '../random-kills';

/** After each kill during a send, the next worker needs six seconds to finish the send. */
const testWithinMs = 180_000;

const cleanResult = {
  lostConfirmations: 0,
  lostMessages: 0,
  doubledMessages: 0,
  brokenHistories: 0,
  staleRecords: 0,
  findings: [],
};
/** Three exact kills (during a send) are enough for both confirmations, with and without status callbacks. */
const plan = normalOrLong({ confirmations: 12, kills: 2, exact: 3 }, { confirmations: 24, kills: 4, exact: 5 });

/** Kills a worker while it sends, and during other work. */
export function describeWorkerKills(getWorld: () => ChaosWorld): void {
  describe('a worker that is killed with -9', () => {
    it(
      'a killed worker loses no confirmation and no message, and doubles no message',
      async () => {
        const { confirmations, kills } = plan;
        const randomResult = await runRandomKills(getWorld(), plan);
        if (randomResult.findings.length > 0) console.log(getWorld().readLoggedErrors().join('\n'));
        expect(randomResult).toMatchObject({ ...cleanResult, confirmations, kills });
        expect(randomResult.openConfirmationsDuringKill).toBeGreaterThan(0);

        const exactResult = await runExactKills(getWorld(), {
          name: 'exact',
          kills: plan.exact,
          statusCallbacks: 'mixed',
          answerTime: 'mixed',
          confirmations: confirmationRotation,
        });
        expect(exactResult).toMatchObject({ ...cleanResult, confirmations: plan.exact, kills: plan.exact });
        // Both reconciliation and a status callback must have shown at least once that a message was sent.
        expect(exactResult.sendsFoundAtProvider).toBeGreaterThan(0);
        expect(exactResult.sendsAlreadyRecorded).toBeGreaterThan(0);
      },
      testWithinMs,
    );
  });
}
