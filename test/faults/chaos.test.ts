import { ChaosWorld } from './chaos-world';
import { runExactKills } from './exact-kills';
import { flowsInTurn, runRandomKills } from './random-kills';

/** A stack starts in some seconds; each exact kill takes the six that a dead worker's send needs to be settled. */
const trialWithinMs = 180_000;

const clean = { lostFlows: 0, lostMessages: 0, doubledMessages: 0, brokenHistories: 0, findings: [] };

async function inWorld<Result>(env: NodeJS.ProcessEnv, work: (world: ChaosWorld) => Promise<Result>): Promise<Result> {
  const world = await ChaosWorld.start(env);
  try {
    return await work(world);
  } finally {
    await world.end();
  }
}

describe('a worker that is killed with -9', () => {
  it(
    'loses no flow and no message, and doubles none',
    () =>
      inWorld({}, async (world) => {
        const random = await runRandomKills(world, { flows: 24, kills: 4 });
        expect(random).toMatchObject({ ...clean, flows: 24, kills: 4 });
        expect(random.hit).toBeGreaterThan(0);

        const exact = await runExactKills(world, {
          name: 'exact',
          kills: 5,
          reports: 'mixed',
          answers: 'mixed',
          flows: flowsInTurn,
        });
        expect(exact).toMatchObject({ ...clean, flows: 5, kills: 5 });
        // Those whose persons waited were settled without sending: found at the provider, or told of by a report.
        expect(exact.adopted).toBeGreaterThan(0);
        expect(exact.settled).toBeGreaterThan(0);
      }),
    trialWithinMs,
  );

  it(
    'doubles messages when nobody looks for those of unknown outcome',
    () =>
      inWorld({ RECONCILE_SENDS: 'false' }, async (world) => {
        const exact = await runExactKills(world, {
          name: 'guard off',
          kills: 2,
          reports: 'none',
          answers: 'when settled',
          flows: ['sms-token'],
        });
        expect(exact).toMatchObject({ lostFlows: 0, lostMessages: 0, adopted: 0 });
        expect(exact.doubledMessages).toBeGreaterThan(0);
      }),
    trialWithinMs,
  );
});
