import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { boundsOf } from '../../../domain/flows/bounds';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowRun } from '../../../domain/flows/run';
import { normalOrLong } from '../sample';
import { type TestTransaction, World } from '../world';
import type { SimulatedPerson } from './any-person';
import { SimulatedPersons } from './simulated-persons';
import { ClockStalled, skippingClock } from './clock';
import { simulatePerson } from './simulate-person';

/** Each server has its own clock, and one flow run at a time. */
const serverCount = normalOrLong(1, 3);
/** Most flow runs take half a second. With a long outage of the provider, a flow run takes up to a minute on a busy machine. */
const runTimeoutMs = 180_000;
/** The pause between two reads of a history. A workflow task that takes longer is lost: other tasks take milliseconds. */
const pollIntervalMs = 10_000;
const dayMs = 86_400_000;

export interface Scenario {
  flow: FlowDefinition;
  person: SimulatedPerson;
}

export interface CompletedRun extends Scenario {
  run: FlowRun;
  /** The number of messages to the person. */
  sends: number;
}

/** Resolves when the time-skipping server has lost a workflow task (see clock.ts). This is never an error of the workflow. */
async function whenTaskIsLost(transaction: TestTransaction, signal: AbortSignal): Promise<'lost'> {
  for (let lastEventCount = -1; ; ) {
    await pause(pollIntervalMs, undefined, { signal });
    const { events } = await transaction.fetchHistory();
    if (events?.length === lastEventCount && events.at(-1)?.workflowTaskStartedEventAttributes) return 'lost';
    lastEventCount = events?.length ?? -1;
  }
}

async function runScenario(
  world: World,
  persons: SimulatedPersons,
  { flow, person }: Scenario,
): Promise<CompletedRun | 'lost'> {
  const clock = skippingClock(world);
  const transaction = await persons.createTransaction(person);
  const runFlow = async (): Promise<CompletedRun> => {
    const { runId } = await transaction.startFlow(flow);
    const giveUpAtMs = (await clock.now()) + boundsOf(flow).seconds * 1_000 + dayMs;
    const run = await simulatePerson(transaction, runId, person, clock, giveUpAtMs);
    return { flow, person, run, sends: transaction.messages().length };
  };
  const abort = new AbortController();
  // Each call of Temporal adds a listener to the signal. Node must not warn about so many listeners.
  setMaxListeners(0, abort.signal);
  const timeout = pause(runTimeoutMs, 'late' as const, { signal: abort.signal });
  try {
    // The signal ends calls that would never return, before the connection is closed.
    const runResult = world.env.connection.withAbortSignal(abort.signal, runFlow);
    const result = await Promise.race([runResult, whenTaskIsLost(transaction, abort.signal), timeout]);
    if (result === 'late')
      throw new Error(`not finished after ${runTimeoutMs} ms: ${JSON.stringify({ flow, person })}`);
    return result;
  } catch (error) {
    if (error instanceof ClockStalled) return 'lost';
    throw error;
  } finally {
    abort.abort();
  }
}

/** `lost`: the scenarios in which the server lost a task. */
export interface ScenarioResults {
  completed: CompletedRun[];
  lost: Scenario[];
}

/** Stops after the first lost scenario, because the clock of the server then stands still. */
async function runOnServer(remaining: Scenario[], results: ScenarioResults): Promise<void> {
  const world = await World.open();
  try {
    const persons = new SimulatedPersons(world);
    for (let scenario = remaining.shift(); scenario; scenario = remaining.shift()) {
      const result = await runScenario(world, persons, scenario);
      if (result === 'lost') {
        results.lost.push(scenario);
        return;
      }
      results.completed.push(result);
    }
  } finally {
    await world.close();
  }
}

/** Runs the scenarios in any order. */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<ScenarioResults> {
  const remaining = [...scenarios];
  const results: ScenarioResults = { completed: [], lost: [] };
  const runRemaining = async () => {
    while (remaining.length > 0) await runOnServer(remaining, results);
  };
  await Promise.all(Array.from({ length: serverCount }, runRemaining));
  return results;
}
