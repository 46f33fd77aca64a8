import type { ChaosWorld } from './chaos-world';
import type { ChaosScenario } from './chaos-scenario';
import { replayHistories } from './replay-histories';
import { waitForCurrentRecords } from './stale-records';

/** The results of one series of scenarios with kills. */
export interface KillResult {
  /** The series, such as `killed at random`. */
  name: string;
  confirmations: number;
  kills: number;
  openConfirmationsDuringKill: number;
  lostConfirmations: number;
  lostMessages: number;
  doubledMessages: number;
  /**
   * Histories that a worker cannot replay. Their workflows still run in the memory of a worker, but after the next kill, no worker could
   * continue them.
   */
  brokenHistories: number;
  /** Transactions whose record differs from the view of their workflow at the end. */
  staleRecords: number;
  /** From the last kill until the records of all open confirmations are current. Undefined if not measured. */
  recordsCurrentMs?: number;
  /** Sends with an unknown outcome that a later attempt found at the provider. */
  sendsFoundAtProvider: number;
  /** Sends whose outcome a status callback or the dead worker had saved before the next attempt. */
  sendsAlreadyRecorded: number;
  repeatedRequests: number;
  /** From the first kill during a scenario to its end, in ascending order. */
  recoveryMs: number[];
  /** One line for each problem. */
  findings: string[];
}

/** Counts the results of a series. Messages are counted in the inbox, not in the database of the service. */
export class ResultCounter {
  readonly #repeatsBefore: number;
  readonly #logLengthBefore: number;

  /** Must be called before the first scenario starts. */
  constructor(private readonly world: ChaosWorld) {
    this.#repeatsBefore = world.caller.repeatCount;
    this.#logLengthBefore = world.readWorkerLog().length;
  }

  /** Waits until every transaction is idle. */
  async count(name: string, scenarios: readonly ChaosScenario[], kills: number): Promise<KillResult> {
    await Promise.all(scenarios.map((scenario) => scenario.waitUntilIdle()));
    const createdIds = scenarios.map(({ transactionId }) => transactionId).filter(Boolean);
    const { staleIds } = await waitForCurrentRecords(this.world, createdIds);
    const messages = await this.world.person.readMessages();
    const messagesPerPhone = new Map<string, number>();
    for (const { to } of messages) messagesPerPhone.set(to, (messagesPerPhone.get(to) ?? 0) + 1);
    const messageCounts = scenarios.map((scenario) => ({
      scenario,
      messages: messagesPerPhone.get(scenario.phone) ?? 0,
    }));
    const replayErrors = await replayHistories(this.world, scenarios);
    const findings = messageCounts.flatMap(({ scenario, messages }) => [
      ...(scenario.failure === undefined
        ? []
        : [`${scenario.phone} ${scenario.transactionId}: lost, ${scenario.failure}`]),
      ...(replayErrors.has(scenario)
        ? [`${scenario.phone} ${scenario.transactionId}: broken history, ${replayErrors.get(scenario)}`]
        : []),
      ...(staleIds.includes(scenario.transactionId)
        ? [`${scenario.phone} ${scenario.transactionId}: stale record`]
        : []),
      ...(messages === 1 ? [] : [`${scenario.phone} ${scenario.transactionId}: ${messages} messages`]),
    ]);
    return {
      name,
      confirmations: scenarios.length,
      kills,
      openConfirmationsDuringKill: scenarios.filter(({ killedAtMs }) => killedAtMs !== undefined).length,
      lostConfirmations: scenarios.filter(({ failure }) => failure !== undefined).length,
      lostMessages: messageCounts.filter(({ messages }) => messages === 0).length,
      doubledMessages: messageCounts.reduce((sum, { messages }) => sum + Math.max(0, messages - 1), 0),
      brokenHistories: replayErrors.size,
      staleRecords: staleIds.length,
      sendsFoundAtProvider: countLoggedSends(this.world, 'adopted', this.#logLengthBefore),
      sendsAlreadyRecorded: countLoggedSends(this.world, 'known', this.#logLengthBefore),
      repeatedRequests: this.world.caller.repeatCount - this.#repeatsBefore,
      recoveryMs: scenarios
        .flatMap(({ killedAtMs, finishedAtMs }) => (killedAtMs && finishedAtMs ? [finishedAtMs - killedAtMs] : []))
        .toSorted((left, right) => left - right),
      findings,
    };
  }
}

/** The sends with an outcome in the log of the worker after its first `logLength` characters. activities/messages/deliver.ts explains the outcomes. */
export function countLoggedSends(world: ChaosWorld, outcome: string, logLength: number): number {
  const lines = world.readWorkerLog().slice(logLength).split('\n');
  const sendIds = lines
    .filter((line) => line.includes(`"outcome":"${outcome}"`))
    .map((line) => /"sendId":"([^"]+)"/.exec(line)?.[1]);
  return new Set(sendIds).size;
}
