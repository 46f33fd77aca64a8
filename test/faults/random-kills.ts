import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosWorld } from './chaos-world';
import { ChaosScenario } from './chaos-scenario';
import type { FlowName } from './flow-actions';
import { type Outcome, RunCount } from './outcome';
import type { OnProgress } from './progress';

/** Concurrent flows, so that every kill hits some in each of their steps. */
const concurrentFlows = 8;

/** A kill can happen at any time during a flow. */
const jitterMs = 1_000;

/** The supervisor restarts a worker at once, or within seconds if it was killed before it was ready. */
const workerWithinMs = 30_000;

/** Two tokens for every second factor. */
export const flowsInTurn: readonly FlowName[] = ['sms-token', 'sms-token', 'whatsapp-2fa'];

export interface RandomKills {
  flows: number;
  kills: number;
}

/** Runs complete flows while the worker is killed repeatedly at random moments. */
export async function runRandomKills(
  world: ChaosWorld,
  { flows, kills }: RandomKills,
  onProgress: OnProgress = () => undefined,
): Promise<Outcome> {
  const count = new RunCount(world);
  const name = 'killed at random';
  const runs: ChaosScenario[] = [];
  let finished = 0;
  let killed = 0;
  const report = () => onProgress({ name, flows: [finished, flows], kills: [killed, kills] });

  const takeFlows = async () => {
    while (runs.length < flows) {
      const flow = flowsInTurn[runs.length % flowsInTurn.length] ?? 'sms-token';
      const run = new ChaosScenario(world, {
        flow,
        answers: runs.length % 2 === 0 ? 'after the response' : 'immediately',
      });
      runs.push(run);
      await run.run();
      finished += 1;
      report();
    }
  };
  const killWorkers = async () => {
    while (killed < kills) {
      // Spread over the whole run: each kill waits for its share of the flows.
      if (finished < Math.floor((killed * flows) / (kills + 1))) await sleep(10);
      else {
        await sleep(randomInt(jitterMs));
        await killWorker(world, runs);
        killed += 1;
        report();
      }
    }
  };
  report();
  await Promise.all([killWorkers(), ...Array.from({ length: concurrentFlows }, takeFlows)]);
  return count.count(name, runs, killed);
}

/** Kills the running worker, or the next one. */
async function killWorker(world: ChaosWorld, runs: readonly ChaosScenario[]): Promise<void> {
  const deadline = Date.now() + workerWithinMs;
  for (;;) {
    try {
      world.stack.kill('worker');
      for (const run of runs) run.recordKill();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(5);
    }
  }
}
