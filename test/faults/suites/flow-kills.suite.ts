import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../../domain/flows/view-run';
import { noiseImage } from '../../images/test-images';
import { sampleOf } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { type KillPoint, KillPoints } from '../kill-points';
import { expectStatus } from '../retrying-caller';
import { replayHistories } from '../replay-histories';
import { fullPath, fullFlow, FullFlowRun } from '../full-flow';

/** Each kill adds the time until another worker continues. */
const testWithinMs = 600_000;

/** Each step of the flow, and each of its messages. `npm test` uses a sample. */
const allPoints: readonly KillPoint[] = [
  ...fullPath.map(([step]) => `in ${step}` as const),
  'sent sms token',
  'sent sms link',
  'sent whatsapp secondFactor',
];
const points = sampleOf(allPoints, 4);

/** Leaves triggers in the database, so it must run last on its stack. */
export function describeFlowKills(getWorld: () => ChaosWorld): void {
  describe('a worker that is killed at an exact point', () => {
    let world: ChaosWorld;
    let killPoints: KillPoints;

    beforeAll(async () => {
      world = getWorld();
      killPoints = await KillPoints.open(world.stack.addresses.postgres);
      const { title, start, steps } = fullFlow;
      expectStatus(201, await world.caller.put('/v1/flows/full-flow', 'key-of-put', { title, start, steps }));
      expectStatus(200, await world.caller.post('/v1/flows/full-flow/activate', 'key-of-activate', { version: 1 }));
      // Without status callbacks, only reconciliation finds a message at the provider.
      world.callbackProxy.blocksCallbacks = true;
    }, testWithinMs);
    afterAll(() => killPoints.close());

    /** Returns false if no worker is running. */
    function killWorker(): boolean {
      try {
        world.stack.kill('worker');
        return true;
      } catch {
        return false;
      }
    }

    /** Kills until all flow runs have ended. Returns the kill points that each kill hit. */
    async function killAtPoints(runs: Promise<unknown>): Promise<KillPoint[][]> {
      const kills: KillPoint[][] = [];
      const abort = new AbortController();
      void runs.finally(() => abort.abort());
      while (!abort.signal.aborted) {
        if ((await killPoints.readStoppedTransactions()).length > 0 && killWorker())
          kills.push((await killPoints.removeReachedPoints()).map(({ point }) => point));
        else await sleep(10);
      }
      return kills;
    }

    const readEvents = async ({ transactionId }: FullFlowRun) => world.person.readCallerEvents(transactionId);
    const readChannels = async (flowRun: FullFlowRun) =>
      (await world.person.readMessages()).filter(({ to }) => to === flowRun.phone).map(({ channel }) => channel);

    async function resultOf(flowRun: FullFlowRun, runPromise: Promise<RunView>) {
      const endedRun = await runPromise.catch((error: unknown) => ({ outcome: String(error), path: [] }));
      if (endedRun.path.length > 0) await world.waitUntilIdle(flowRun.transactionId);
      return {
        outcome: endedRun.outcome,
        path: endedRun.path.map(({ step, exit }) => [step, exit]),
        messages: (await readChannels(flowRun)).toSorted(),
        events: (await readEvents(flowRun)).map(({ data }) => [data.runId, data.event]),
      };
    }

    const expectedResultOf = ({ runId }: FullFlowRun) => ({
      outcome: 'Confirmed',
      path: fullPath,
      messages: ['sms', 'sms', 'whatsapp'],
      events: [[runId, 'step-up.started']],
    });

    test(
      'a worker that is killed in any step, or right after a message is accepted, loses nothing and doubles no message',
      async () => {
        const image = await noiseImage(480, 360);
        const flowRuns = [...points.map(() => new FullFlowRun(world, image)), new FullFlowRun(world, image)];
        await Promise.all(flowRuns.map((flowRun) => flowRun.create()));

        // Kills the worker after the caller has received an event, before the worker gets the answer.
        const repeatedEventRun = flowRuns.at(-1) as FullFlowRun;
        await world.person.loseNextResponse('webhook');
        const repeatedEventResult = repeatedEventRun.run();
        while ((await readEvents(repeatedEventRun)).length === 0) await sleep(10);
        killWorker();
        // Waits until the next worker has sent the event again and got the answer. If the worker were killed again before that, the caller
        // would get the event a third time.
        await repeatedEventRun.waitForCallerEvent();

        const runsWithPoint = points.map((point, index) => ({ point, flowRun: flowRuns[index] as FullFlowRun }));
        for (const { point, flowRun } of runsWithPoint)
          await killPoints.add({ transactionId: flowRun.transactionId, point });
        const runPromises = [...runsWithPoint.map(({ flowRun }) => flowRun.run()), repeatedEventResult];
        const allResults = Promise.all(
          flowRuns.map((flowRun, index) => resultOf(flowRun, runPromises[index] as Promise<RunView>)),
        );
        const [kills, results] = await Promise.all([killAtPoints(allResults), allResults]);

        expect(results).toEqual(flowRuns.map(expectedResultOf));
        expect(kills.flat().toSorted()).toEqual(points.toSorted());
        expect((await readEvents(repeatedEventRun))[0]?.times).toBe(2);
        expect(await replayHistories(world, flowRuns)).toEqual(new Map());
      },
      testWithinMs,
    );
  });
}
