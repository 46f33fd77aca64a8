import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../../domain/flows/view-run';
import { noise } from '../../platform/images/test-images';
import { sampleOf } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { type KillPoint, KillPoints } from '../kill-points';
import { expectStatus } from '../patient-caller';
import { replayHistories } from '../replay-histories';
import { fullPath, fullFlow, FullFlow } from '../full-flow';

/** A stack starts in some seconds, and each kill adds the time until another worker continues. */
const testWithinMs = 600_000;

/** Each step of the flow, and each of its messages. A short run takes a sample. */
const allPoints: readonly KillPoint[] = [
  ...fullPath.map(([step]) => `in ${step}` as const),
  'sent sms-token',
  'sent biometrics-link',
  'sent whatsapp-2fa',
];
const points = sampleOf(allPoints, 4);

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
      expectStatus(201, await world.caller.put('/v1/flows/full-flow', 'put', { title, start, steps }));
      expectStatus(200, await world.caller.post('/v1/flows/full-flow/activate', 'activate', { version: 1 }));
      // Only reconciliation can find a message.
      world.gate.blocksReports = true;
    }, testWithinMs);
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
    async function killAtPoints(runs: Promise<unknown>): Promise<KillPoint[][]> {
      const kills: KillPoint[][] = [];
      const abort = new AbortController();
      void runs.finally(() => abort.abort());
      while (!abort.signal.aborted) {
        if ((await killPoints.stopped()).length > 0 && killWorker())
          kills.push((await killPoints.clear()).map(({ point }) => point));
        else await sleep(10);
      }
      return kills;
    }

    const eventsOf = async ({ transactionId }: FullFlow) => world.person.callerEvents(transactionId);
    const messagesTo = async (flow: FullFlow) =>
      (await world.person.allMessages()).filter(({ to }) => to === flow.phone).map(({ channel }) => channel);

    /** The results of a run for the caller, the person and the server of the caller. */
    async function resultOf(flow: FullFlow, running: Promise<RunView>) {
      const ended = await running.catch((error: unknown) => ({ outcome: String(error), path: [] }));
      if (ended.path.length > 0) await world.waitUntilIdle(flow.transactionId);
      return {
        outcome: ended.outcome,
        path: ended.path.map(({ step, exit }) => [step, exit]),
        messages: (await messagesTo(flow)).toSorted(),
        events: (await eventsOf(flow)).map(({ id, type }) => [id, type]),
      };
    }

    const expectedResultOf = ({ runId }: FullFlow) => ({
      outcome: 'Confirmed',
      path: fullPath,
      messages: ['sms', 'sms', 'whatsapp'],
      events: [[`${runId}.3`, 'step-up.started']],
    });

    test(
      'doubles and loses nothing in any step, nor right after a message was accepted',
      async () => {
        const image = await noise(480, 360);
        const flows = [...points.map(() => new FullFlow(world, image)), new FullFlow(world, image)];
        await Promise.all(flows.map((flow) => flow.create()));

        // The caller has received an event, but the worker does not know it yet.
        const repeatedEvent = flows.at(-1) as FullFlow;
        await world.person.loseNextAnswer('webhook');
        const runningRepeated = repeatedEvent.run();
        while ((await eventsOf(repeatedEvent)).length === 0) await sleep(10);
        killWorker();
        // Another kill would deliver it once more.
        await repeatedEvent.waitForCallerEvent();

        const stopped = points.map((point, index) => ({ point, flow: flows[index] as FullFlow }));
        for (const { point, flow } of stopped) await killPoints.add({ transactionId: flow.transactionId, point });
        const running = [...stopped.map(({ flow }) => flow.run()), runningRepeated];
        const runs = Promise.all(flows.map((flow, index) => resultOf(flow, running[index] as Promise<RunView>)));
        const [kills, ended] = await Promise.all([killAtPoints(runs), runs]);

        expect(ended).toEqual(flows.map(expectedResultOf));
        expect(kills.flat().toSorted()).toEqual(points.toSorted());
        expect((await eventsOf(repeatedEvent))[0]?.times).toBe(2);
        expect(await replayHistories(world, flows)).toEqual(new Map());
      },
      testWithinMs,
    );
  });
}
