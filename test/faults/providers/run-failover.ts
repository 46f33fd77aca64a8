import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChaosScenario } from '../chaos-scenario';
import type { ChaosWorld } from '../chaos-world';
import { countLoggedSends } from '../kill-result';
import type { OnProgress } from '../progress';
import { killWorker } from '../random-kills';
import { type FaultCounts, planPhases, runPhases } from './phases';
import type { TwoProviders } from './two-providers';

export interface FailoverPlan {
  /** Codes by SMS, each to a phone of its own. */
  messages: number;
  /** Every second kill comes after a provider has accepted a message, and before the worker gets the answer. The others are random. */
  kills: number;
  seed: number;
  /** The longest duration of a fault. */
  longestFaultMs: number;
}

export interface FailoverResult {
  name: string;
  messages: number;
  /** Persons whose code did not arrive, or not in time to be accepted. */
  lost: number;
  /** Messages to a person who had one already, at either provider. */
  doubled: number;
  bySecond: number;
  /** Messages with a lost answer that the service found at a provider. */
  found: number;
  /** From the first request of the caller until the provider had the message, in ascending order. */
  delaysMs: number[];
  kills: number;
  faults: FaultCounts;
  repeatedRequests: number;
  /** One line for each problem. */
  findings: string[];
}

/** So many that each fault hits some, and so few that two cores answer without faults within a second. */
const concurrentPersons = 16;
/** After this time, the requests of attempts that Temporal has given up have ended. */
const requestsEndMs = 3_000;
/** The longest random wait before a kill, so that kills can hit any moment. */
const delayBeforeKillMaxMs = 1_000;

/** Sends codes while providers fail in turn and workers are killed. Nobody enters a code before the service has ended its attempts. */
export async function runFailover(
  world: ChaosWorld,
  providers: TwoProviders,
  { messages, kills, seed, longestFaultMs }: FailoverPlan,
  onProgress: OnProgress = () => undefined,
): Promise<FailoverResult> {
  const name = `${providers.first} first`;
  const repeatsBefore = world.caller.repeatCount;
  const logBefore = world.readWorkerLog().length;
  const scenarios: ChaosScenario[] = [];
  const faults: FaultCounts = new Map();
  const ended = new AbortController();
  let [finished, finishedKills] = [0, 0];
  const report = () => onProgress({ name, confirmations: [finished, messages], kills: [finishedKills, kills] });

  const runPersons = async () => {
    while (scenarios.length < messages) {
      const scenario = new ChaosScenario(world, { confirmation: 'sms-token', answerTime: 'when idle' });
      scenarios.push(scenario);
      await scenario.run();
      finished += 1;
      report();
    }
  };
  const killWorkers = async () => {
    while (finishedKills < kills && !ended.signal.aborted) {
      // Spreads the kills evenly over the messages.
      if (finished < Math.floor((finishedKills * messages) / (kills + 1))) await sleep(10);
      else {
        if (finishedKills % 2 === 0)
          await providers.atNextAcceptance(() => void world.stack.kill('worker'), ended.signal);
        else {
          await sleep(randomInt(delayBeforeKillMaxMs));
          await killWorker(world, scenarios);
        }
        finishedKills += 1;
        report();
      }
    }
  };
  report();
  await Promise.all([
    killWorkers(),
    runPhases(providers, planPhases(seed, longestFaultMs), faults, ended.signal),
    Promise.all(Array.from({ length: concurrentPersons }, runPersons)).then(() => ended.abort()),
  ]);
  await sleep(requestsEndMs);

  const arrived = (await world.person.readMessages({ channel: 'sms' })).toReversed();
  const sent = scenarios.map((scenario) => ({ scenario, copies: arrived.filter(({ to }) => to === scenario.phone) }));
  return {
    ...{ name, messages, kills: finishedKills, faults },
    lost: sent.filter(({ scenario, copies }) => scenario.failure !== undefined || copies.length === 0).length,
    doubled: sent.reduce((sum, { copies }) => sum + Math.max(0, copies.length - 1), 0),
    bySecond: sent.filter(({ copies: [copy] }) => copy && providers.isBySecond(copy)).length,
    found: countLoggedSends(world, 'adopted', logBefore),
    delaysMs: sent
      .flatMap(({ scenario, copies: [copy] }) => (copy ? [Date.parse(copy.createdAt) - scenario.requestedAtMs] : []))
      .toSorted((left, right) => left - right),
    repeatedRequests: world.caller.repeatCount - repeatsBefore,
    findings: sent.flatMap(({ scenario: { phone, transactionId, failure }, copies }) => [
      ...(failure === undefined ? [] : [`${phone} ${transactionId}: lost, ${failure}`]),
      ...(copies.length === 1
        ? []
        : [
            `${phone} ${transactionId}: ${copies.length} messages ${copies.map((one) => `${one.from} ${one.createdAt}`).join(', ')}`,
          ]),
    ]),
  };
}
