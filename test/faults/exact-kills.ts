import type { ChaosWorld } from './chaos-world';
import { ChaosScenario } from './chaos-scenario';
import { type ConfirmationName, confirmationActions } from './confirmation-actions';
import { type KillResult, ResultCounter } from './kill-result';
import type { OnProgress } from './progress';

export interface ExactKillPlan {
  name: string;
  kills: number;
  /**
   * Which status callbacks reach the API. `none`: only reconciliation shows that a message was sent. `mixed`: the callbacks of every second
   * message arrive.
   */
  statusCallbacks: 'none' | 'mixed';
  /**
   * Only a person who waits can get a message twice: after an answer, the service does not send the message again. `when idle`: every
   * person waits until Temporal has no open work. `mixed`: two of five persons wait.
   */
  answerTime: 'when idle' | 'mixed';
  /** The scenarios use these confirmations in turn. */
  confirmations: readonly ConfirmationName[];
}

/** Kills the worker after the provider has accepted a message, and before the worker gets the response. */
export async function runExactKills(
  world: ChaosWorld,
  { name, kills, statusCallbacks, answerTime, confirmations }: ExactKillPlan,
  onProgress: OnProgress = () => undefined,
): Promise<KillResult> {
  const counter = new ResultCounter(world);
  const scenarios: ChaosScenario[] = [];
  const reportProgress = (finishedKills: number) =>
    onProgress({ name, confirmations: [finishedKills, kills], kills: [finishedKills, kills] });
  reportProgress(0);
  while (scenarios.length < kills) {
    const number = scenarios.length;
    const confirmation = confirmations[number % confirmations.length] ?? 'sms-token';
    world.callbackProxy.blocksCallbacks = statusCallbacks === 'none' || number % 2 === 0;
    await world.person.loseNextResponse(confirmationActions[confirmation].channel);
    const scenario: ChaosScenario = new ChaosScenario(world, {
      confirmation,
      // Answer times repeat after five scenarios, confirmations after at most three, status callbacks after two. So all combinations occur
      // in 30 scenarios.
      answerTime: answerTime === 'mixed' && number % 5 > 1 ? 'immediately' : 'when idle',
      onMessage: () => {
        world.stack.kill('worker');
        scenario.recordKill();
      },
    });
    scenarios.push(scenario);
    await scenario.run();
    await scenario.waitUntilIdle();
    reportProgress(scenarios.length);
  }
  world.callbackProxy.blocksCallbacks = false;
  return counter.count(name, scenarios, kills);
}
