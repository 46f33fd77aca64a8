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

/** Concurrent servers, each with its own clock and one run at a time. */
const serverCount = normalOrLong(1, 3);
/** Most runs take half a second; one with a long provider outage takes up to a minute on a busy machine. */
const runTimeoutMs = 180_000;
/** A task that runs this long in real time is lost: the tasks of the workflow take milliseconds. */
const pollIntervalMs = 10_000;
const dayMs = 86_400_000;

export interface Scenario {
  flow: FlowDefinition;
  person: SimulatedPerson;
}

export interface CompletedRun extends Scenario {
  run: FlowRun;
  sends: number;
}

/**
 * Resolves when the time-skipping server has lost a task: a timer fired while a task ran that cancels this timer.
 * The lost task is neither completed nor started again (temporalio/sdk-java#3088). A history that ends like this is never
 * the fault of the workflow.
 */
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
  // Each call of a run adds a listener to the signal. Node must not warn about so many listeners.
  setMaxListeners(0, abort.signal);
  const timeout = pause(runTimeoutMs, 'late' as const, { signal: abort.signal });
  try {
    // The signal ends calls that would never return. So no call is left when the connection is closed.
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

/** The results of scenarios; `lost` are those that the server lost. */
export interface ScenarioResults {
  completed: CompletedRun[];
  lost: Scenario[];
}

/** Runs scenarios on a new server, and stops after the first lost scenario: from then on, the clock of the server stands still. */
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

/** Runs every scenario to its end, in any order, on time-skipping servers. */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<ScenarioResults> {
  const remaining = [...scenarios];
  const results: ScenarioResults = { completed: [], lost: [] };
  const runRemaining = async () => {
    while (remaining.length > 0) await runOnServer(remaining, results);
  };
  await Promise.all(Array.from({ length: serverCount }, runRemaining));
  return results;
}
