import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosWorld } from './chaos-world';
import { ChaosScenario } from './chaos-scenario';
import type { ConfirmationName } from './confirmation-actions';
import { type KillResult, ResultCounter } from './kill-result';
import type { OnProgress } from './progress';
import { waitForCurrentRecords } from './stale-records';

/** Many at once, so that a kill hits confirmations in different states. */
const concurrentScenarios = 8;

/** The longest random wait before a kill, so that kills can hit any moment of a scenario. */
const delayBeforeKillMaxMs = 1_000;

/** A killed worker restarts at once, or within seconds if it was killed before it was ready. */
const workerRunsWithinMs = 30_000;

/** The confirmations of the scenarios, used in turn. */
export const confirmationRotation: readonly ConfirmationName[] = ['sms-token', 'sms-token', 'whatsapp-2fa'];

export interface RandomKillPlan {
  confirmations: number;
  kills: number;
}

/** Runs confirmations while the worker is killed at random moments. */
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
      // Spreads the kills evenly: of three kills, the second comes after 1/4 of the confirmations, the third after 2/4.
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

/** If no worker is running, waits for the next one. */
export async function killWorker(world: ChaosWorld, scenarios: readonly ChaosScenario[]): Promise<void> {
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
