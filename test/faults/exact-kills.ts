import type { ChaosWorld } from './chaos-world';
import { FlowRun } from './flow-run';
import { type FlowName, flowActions } from './flow-ways';
import { type Outcome, RunCount } from './outcome';
import type { OnProgress } from './progress';

export interface ExactKills {
  name: string;
  kills: number;
  /**
   * Whether the provider's delivery reports stay away, so that nothing but our own asking tells of a message; `mixed`:
   * from every other one.
   */
  reports: 'none' | 'mixed';
  /**
   * An answer proves that its message arrived and ends the sending, so what a repeated send does is seen only where
   * persons wait for it; `mixed`: two of five do.
   */
  answers: 'when settled' | 'mixed';
  /** Taken in turn. */
  flows: readonly FlowName[];
}

/**
 * Kills the worker each time at the one moment at which only the provider knows: it has taken the message, and its
 * answer has not come.
 */
export async function runExactKills(
  world: ChaosWorld,
  { name, kills, reports, answers, flows }: ExactKills,
  onProgress: OnProgress = () => undefined,
): Promise<Outcome> {
  const count = new RunCount(world);
  const runs: FlowRun[] = [];
  const report = (done: number) => onProgress({ name, flows: [done, kills], kills: [done, kills] });
  report(0);
  while (runs.length < kills) {
    const number = runs.length;
    const flow = flows[number % flows.length] ?? 'sms-token';
    world.gate.holdsReports = reports === 'none' || number % 2 === 0;
    await world.person.loseNextAnswer(flowActions[flow].channel);
    const run: FlowRun = new FlowRun(world, {
      flow,
      // Out of step with flows and reports, so that all come together in time.
      answers: answers === 'mixed' && number % 5 > 1 ? 'at once' : 'when settled',
      onMessage: () => {
        world.stack.kill('worker');
        run.recordKill();
      },
    });
    runs.push(run);
    await run.run();
    await run.waitUntilIdle();
    report(runs.length);
  }
  world.gate.holdsReports = false;
  return count.count(name, runs, kills);
}
