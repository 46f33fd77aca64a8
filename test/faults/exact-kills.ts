import type { ChaosWorld } from './chaos-world';
import { ChaosScenario } from './chaos-scenario';
import { type FlowName, flowActions } from './flow-actions';
import { type Outcome, RunCount } from './outcome';
import type { OnProgress } from './progress';

export interface ExactKills {
  name: string;
  kills: number;
  /**
   * Whether delivery reports are held back, so that only reconciliation finds the message; `mixed`: for every other
   * message.
   */
  reports: 'none' | 'mixed';
  /**
   * A response of the person proves the delivery and ends the sending. A repeated send is visible only if the person
   * waits; `mixed`: two of five wait.
   */
  answers: 'when idle' | 'mixed';
  /** Used in rotation. */
  flows: readonly FlowName[];
}

/** Kills the worker each time after the provider has accepted a message and before its response arrives. */
export async function runExactKills(
  world: ChaosWorld,
  { name, kills, reports, answers, flows }: ExactKills,
  onProgress: OnProgress = () => undefined,
): Promise<Outcome> {
  const count = new RunCount(world);
  const runs: ChaosScenario[] = [];
  const report = (done: number) => onProgress({ name, flows: [done, kills], kills: [done, kills] });
  report(0);
  while (runs.length < kills) {
    const number = runs.length;
    const flow = flows[number % flows.length] ?? 'sms-token';
    world.gate.blocksReports = reports === 'none' || number % 2 === 0;
    await world.person.loseNextAnswer(flowActions[flow].channel);
    const run: ChaosScenario = new ChaosScenario(world, {
      flow,
      // Independent of the rotation of flows and reports, so that all combinations occur.
      answers: answers === 'mixed' && number % 5 > 1 ? 'immediately' : 'when idle',
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
  world.gate.blocksReports = false;
  return count.count(name, runs, kills);
}
