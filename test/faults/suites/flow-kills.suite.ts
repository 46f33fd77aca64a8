import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../../domain/flows/view-run';
import { noise } from '../../platform/images/pictures';
import { sampleOf } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { type KillPoint, KillPoints } from '../kill-places';
import { expectStatus } from '../patient-caller';
import { replayHistories } from '../replay-histories';
import { fullPath, fullFlow, FullFlow } from '../whole-way';

/** A stack starts in some seconds, and each kill takes some more until another worker has taken over. */
const trialWithinMs = 600_000;

/** Each step of the way, and each of its messages. A few of them in a short run: all are of the same kind. */
const allPlaces: readonly KillPoint[] = [
  ...fullPath.map(([step]) => `in ${step}` as const),
  'sent sms-token',
  'sent biometrics-link',
  'sent whatsapp-2fa',
];
const places = sampleOf(allPlaces, 4);

/** A worker that is killed exactly where a run stands. Leaves triggers in the database: the last on its stack. */
export function describeFlowKills(getWorld: () => ChaosWorld): void {
  describe('a worker that is killed at a place', () => {
    let world: ChaosWorld;
    let killPoints: KillPoints;

    beforeAll(async () => {
      world = getWorld();
      killPoints = await KillPoints.open(world.stack.addresses.postgres);
      const { title, start, steps } = fullFlow;
      expectStatus(201, await world.caller.put('/v1/flows/whole-way', 'put', { title, start, steps }));
      expectStatus(200, await world.caller.post('/v1/flows/whole-way/activate', 'activate', { version: 1 }));
      // Nothing but our own asking tells of a message.
      world.gate.holdsReports = true;
    }, trialWithinMs);
    afterAll(() => killPoints.close());

    /** Whether there was one: the one before may be dead, and the next not there yet. */
    function killWorker(): boolean {
      try {
        world.stack.kill('worker');
        return true;
      } catch {
        return false;
      }
    }

    /** Kills the worker whenever a run stands at one of its places, until the runs are over. Gives what each kill found. */
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

    /** What a run came to, as callers, persons and the caller's server saw it. */
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
      'a worker that dies in any step, or with a message just taken, doubles and loses nothing',
      async () => {
        const picture = await noise(480, 360);
        const walks = [...places.map(() => new FullFlow(world, picture)), new FullFlow(world, picture)];
        await Promise.all(walks.map((walk) => walk.create()));

        // The caller's server has an event, and nobody but it knows.
        const twice = walks.at(-1) as FullFlow;
        await world.person.loseNextAnswer('webhook');
        const walkingTwice = twice.walk();
        while ((await eventsOf(twice)).length === 0) await sleep(10);
        killWorker();
        // A further kill would have it told once more.
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
