import { replay } from '../replay';
import { World } from '../world';
import { SimulatedPersons } from './simulated-persons';
import { wallClock } from './clock';
import { shortenScenario } from './shorten-scenario';
import type { CompletedRun, Scenario } from './run-scenarios';
import { simulatePerson } from './simulate-person';

/** The time limit of a run. A short flow takes a second or two, and a flow with loops takes longer. */
const runTimeoutMs = 60_000;

/** Runs scenarios with short times on the real server, all at once, and replays their histories. */
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
