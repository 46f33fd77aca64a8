import { replay } from '../replay';
import { World } from '../world';
import { SimulatedPersons } from './simulated-persons';
import { wallClock } from './clock';
import { shortenScenario } from './shorten-scenario';
import type { CompletedRun, Scenario } from './run-scenarios';
import { simulatePerson } from './simulate-person';

/** With short times, most flow runs take a second or two. Loops take longer. */
const runTimeoutMs = 60_000;

/** Runs the shortened scenarios at once on a server that skips no time, and replays their histories. */
export async function runShortScenarios(scenarios: readonly Scenario[]): Promise<CompletedRun[]> {
  const world = await World.open('temporal');
  try {
    const persons = new SimulatedPersons(world);
    const runs = await Promise.all(
      scenarios.map(shortenScenario).map(async ({ flow, person }) => {
        const transaction = await persons.createTransaction(person);
        const { runId } = await transaction.startFlow(flow);
        const run = await simulatePerson(transaction, runId, person, wallClock, Date.now() + runTimeoutMs);
        return { transaction, completed: { flow, person, run, sends: transaction.messages().length } };
      }),
    );
    for (const { transaction } of runs) await replay(await transaction.fetchHistory());
    return runs.map(({ completed }) => completed);
  } finally {
    await world.close();
  }
}
