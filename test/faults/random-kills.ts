import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosWorld } from './chaos-world';
import { ChaosScenario } from './chaos-scenario';
import type { ConfirmationName } from './confirmation-actions';
import { type KillResult, ResultCounter } from './kill-result';
import type { OnProgress } from './progress';
import { waitForCurrentRecords } from './stale-records';

/** Many confirmations run at once, so that a kill hits them in different states. */
const concurrentScenarios = 8;

/** The longest wait before a kill. The wait is random, so a kill can hit any moment of a scenario. */
const delayBeforeKillMaxMs = 1_000;

/** The stack restarts a killed worker at once, or within seconds if the worker was killed before it was ready. */
const workerRunsWithinMs = 30_000;

/** The scenarios use these confirmations in turn. */
export const confirmationRotation: readonly ConfirmationName[] = ['sms-token', 'sms-token', 'whatsapp-2fa'];

export interface RandomKillPlan {
  confirmations: number;
  kills: number;
}

/** Runs complete confirmations while the worker is killed repeatedly at random moments. */
export async function runRandomKills(
  world: ChaosWorld,
  { confirmations, kills }: RandomKillPlan,
  onProgress: OnProgress = () => undefined,
): Promise<KillResult> {
  const counter = new ResultCounter(world);
  const name = 'killed at random';
  const scenarios: ChaosScenario[] = [];
  let finished = 0;
  let finishedKills = 0;
  const reportProgress = () =>
    onProgress({ name, confirmations: [finished, confirmations], kills: [finishedKills, kills] });

  const runScenarios = async () => {
    while (scenarios.length < confirmations) {
      const confirmation = confirmationRotation[scenarios.length % confirmationRotation.length] ?? 'sms-token';
      const scenario = new ChaosScenario(world, {
        confirmation,
        answerTime: scenarios.length % 2 === 0 ? 'after the response' : 'immediately',
      });
      scenarios.push(scenario);
      await scenario.run();
      finished += 1;
      reportProgress();
    }
  };
  let recordsCurrentMs = 0;
  const killWorkers = async () => {
    while (finishedKills < kills) {
      // Spreads the kills evenly. For example, of three kills, the first is at the start, the second after 1/4 of all confirmations have
      // finished, and the third after 2/4.
      if (finished < Math.floor((finishedKills * confirmations) / (kills + 1))) await sleep(10);
      else {
        await sleep(randomInt(delayBeforeKillMaxMs));
        await killWorker(world, scenarios);
        finishedKills += 1;
        reportProgress();
      }
    }
    const open = scenarios.filter(({ finishedAtMs, transactionId }) => finishedAtMs === undefined && transactionId);
    const openIds = open.map(({ transactionId }) => transactionId);
    recordsCurrentMs = (await waitForCurrentRecords(world, openIds)).ms;
  };
  reportProgress();
  await Promise.all([killWorkers(), ...Array.from({ length: concurrentScenarios }, runScenarios)]);
  return { ...(await counter.count(name, scenarios, finishedKills)), recordsCurrentMs };
}

/** Kills the worker. If no worker is running, waits for the next worker and kills it. */
async function killWorker(world: ChaosWorld, scenarios: readonly ChaosScenario[]): Promise<void> {
  const deadline = Date.now() + workerRunsWithinMs;
  for (;;) {
    try {
      world.stack.kill('worker');
      for (const scenario of scenarios) scenario.recordKill();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(5);
    }
  }
}
