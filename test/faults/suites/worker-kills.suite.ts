import { normalOrLong } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { runExactKills } from '../exact-kills';
import { flowRotation, runRandomKills } from '../random-kills';

/** A stack starts in some seconds; each exact kill takes six more to settle the send of a dead worker. */
const testWithinMs = 180_000;

const cleanOutcome = {
  lostFlows: 0,
  lostMessages: 0,
  doubledMessages: 0,
  brokenHistories: 0,
  staleRecords: 0,
  findings: [],
};
/** Three exact kills cover both kinds of flow, with and without status callbacks. */
const plan = normalOrLong({ flows: 12, kills: 2, exact: 3 }, { flows: 24, kills: 4, exact: 5 });

/** A worker that is killed repeatedly, while it sends and during other work. */
export function describeWorkerKills(getWorld: () => ChaosWorld): void {
  describe('a worker that is killed with -9', () => {
    it(
      'loses no flow and no message, and doubles no message',
      async () => {
        const { flows, kills } = plan;
        const randomOutcome = await runRandomKills(getWorld(), plan);
        expect(randomOutcome).toMatchObject({ ...cleanOutcome, flows, kills });
        expect(randomOutcome.flowsOpenDuringKill).toBeGreaterThan(0);

        const exactOutcome = await runExactKills(getWorld(), {
          name: 'exact',
          kills: plan.exact,
          statusCallbacks: 'mixed',
          answerTime: 'mixed',
          flows: flowRotation,
        });
        expect(exactOutcome).toMatchObject({ ...cleanOutcome, flows: plan.exact, kills: plan.exact });
        // If the person waits, reconciliation or a status callback must settle the send.
        expect(exactOutcome.sendsFoundAtProvider).toBeGreaterThan(0);
        expect(exactOutcome.sendsAlreadyRecorded).toBeGreaterThan(0);
      },
      testWithinMs,
    );
  });
}
