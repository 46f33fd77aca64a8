import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../../domain/flows/view-run';
import { noise } from '../../platform/images/pictures';
import { sampleOf } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { type KillPoint, KillPoints } from '../kill-places';
import { expectStatus } from '../patient-caller';
import { replayHistories } from '../replay-histories';
import { fullPath, fullFlow, FullFlow } from '../whole-way';

/** A stack starts in some seconds, and each kill adds the time until another worker continues. */
const trialWithinMs = 600_000;

/** Each step of the flow, and each of its messages. A short run takes a sample. */
const allPlaces: readonly KillPoint[] = [
  ...fullPath.map(([step]) => `in ${step}` as const),
  'sent sms-token',
  'sent biometrics-link',
  'sent whatsapp-2fa',
];
const places = sampleOf(allPlaces, 4);

/**
 * Kills a worker at exact points of a run. Leaves triggers in the database, so it must be the last suite on its stack.
 */
export function describeFlowKills(getWorld: () => ChaosWorld): void {
  describe('a worker that is killed at an exact point', () => {
    let world: ChaosWorld;
    let killPoints: KillPoints;

    beforeAll(async () => {
      world = getWorld();
      killPoints = await KillPoints.open(world.stack.addresses.postgres);
      const { title, start, steps } = fullFlow;
      expectStatus(201, await world.caller.put('/v1/flows/whole-way', 'put', { title, start, steps }));
      expectStatus(200, await world.caller.post('/v1/flows/whole-way/activate', 'activate', { version: 1 }));
      // Only reconciliation can find a message.
      world.gate.holdsReports = true;
    }, trialWithinMs);
    afterAll(() => killPoints.close());

    /** Whether a worker was killed: the previous one may be dead, and the next one not started yet. */
    function killWorker(): boolean {
      try {
        world.stack.kill('worker');
        return true;
      } catch {
        return false;
      }
    }

    /**
     * Kills the worker at each kill point of a run, until the runs end. Returns the transactions that each kill hit.
     */
    async function killAtPlaces(runs: Promise<unknown>): Promise<KillPoint[][]> {
      const found: KillPoint[][] = [];
      const over = new AbortController();
      void runs.finally(() => over.abort());
      while (!over.signal.aborted) {
        if ((await killPoints.stopped()).length > 0 && killWorker())
          found.push((await killPoints.clear()).map(({ place }) => place));
        else await sleep(10);
      }
      return found;
    }

    const eventsOf = async ({ transactionId }: FullFlow) => world.person.callerEvents(transactionId);
    const messagesTo = async (walk: FullFlow) =>
      (await world.person.allMessages()).filter(({ to }) => to === walk.phone).map(({ channel }) => channel);

    /** The results of a run for the caller, the person and the server of the caller. */
    async function seen(walk: FullFlow, walking: Promise<RunView>) {
      const ended = await walking.catch((error: unknown) => ({ outcome: String(error), path: [] }));
      if (ended.path.length > 0) await world.waitUntilIdle(walk.transactionId);
      return {
        outcome: ended.outcome,
        path: ended.path.map(({ step, exit }) => [step, exit]),
        messages: (await messagesTo(walk)).toSorted(),
        events: (await eventsOf(walk)).map(({ id, type }) => [id, type]),
      };
    }

    const expectedOf = ({ runId }: FullFlow) => ({
      outcome: 'Confirmed',
      path: fullPath,
      messages: ['sms', 'sms', 'whatsapp'],
      events: [[`${runId}.3`, 'step-up.started']],
    });

    test(
      'doubles and loses nothing in any step, nor right after a message was accepted',
      async () => {
        const picture = await noise(480, 360);
        const walks = [...places.map(() => new FullFlow(world, picture)), new FullFlow(world, picture)];
        await Promise.all(walks.map((walk) => walk.create()));

        // The caller has received an event, but the worker does not know it yet.
        const twice = walks.at(-1) as FullFlow;
        await world.person.loseNextAnswer('webhook');
        const walkingTwice = twice.walk();
        while ((await eventsOf(twice)).length === 0) await sleep(10);
        killWorker();
        // Another kill would deliver it once more.
        await twice.waitForCallerEvent();

        const stopped = places.map((place, index) => ({ place, walk: walks[index] as FullFlow }));
        for (const { place, walk } of stopped) await killPoints.add({ transactionId: walk.transactionId, place });
        const walking = [...stopped.map(({ walk }) => walk.walk()), walkingTwice];
        const runs = Promise.all(walks.map((walk, index) => seen(walk, walking[index] as Promise<RunView>)));
        const [kills, ended] = await Promise.all([killAtPlaces(runs), runs]);

        expect(ended).toEqual(walks.map(expectedOf));
        expect(kills.flat().toSorted()).toEqual(places.toSorted());
        expect((await eventsOf(twice))[0]?.times).toBe(2);
        expect(await replayHistories(world, walks)).toEqual(new Map());
      },
      trialWithinMs,
    );
  });
}
