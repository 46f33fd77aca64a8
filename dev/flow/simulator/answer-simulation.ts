import { z } from 'zod';
import { createDefaultMessageCheck } from '../../../api/flows/checks/message-check';
import { checkFlowText } from '../../../api/flows/checks/check-text';
import { FileError } from '../load-flow';
import { readPersonOption, readScenarios, type Scenario } from '../scenario';
import { compareTimeline, type Simulation, type Timeline } from '../timeline';

/**
 * What the page /flows asks for: one flow run with the scripted steps in `person`, or all scenarios of the YAML text in `scenarios`. `name`
 * and `text`: the name and the JSON of the flow.
 */
export const simulationRequest = z.union([
  z.strictObject({ name: z.string(), text: z.string(), person: z.string() }),
  z.strictObject({ name: z.string(), text: z.string(), scenarios: z.string() }),
]);

export type SimulationRequest = z.infer<typeof simulationRequest>;

/**
 * One simulated flow run. `differences`: how the flow run differs from the expectation of its scenario. Absent if nothing was expected, so
 * nothing was compared. Empty if the scenario passed.
 */
export interface SimulatedRun {
  name: string;
  differences?: readonly string[];
  timeline: Timeline;
}

/**
 * `error`: why nothing was simulated, with one line for each cause. A line about the YAML text begins with `line:column`, the position of
 * the cause.
 */
export type SimulationAnswer = { runs: readonly SimulatedRun[] } | { error: string };

/** The maximum number of scenarios in a request. Each takes about a second, and the page waits for all of them. */
const scenariosMax = 30;
const scenariosFile = 'scenarios';

function readRequested(request: SimulationRequest, flow: Parameters<typeof readScenarios>[2]): readonly Scenario[] {
  if ('person' in request) return [readPersonOption(request.person)];
  const scenarios = readScenarios(scenariosFile, request.scenarios, flow);
  if (scenarios.length <= scenariosMax) return scenarios;
  throw new FileError(`There are ${scenarios.length} scenarios. The page simulates at most ${scenariosMax} at a time.`);
}

/** Removes `--person` or `scenarios` from the start of each line. The page /flows has no option --person and no file `scenarios`. */
const withoutNames = (message: string) => message.replaceAll(/^(?:--person|scenarios): ?/gm, '');

/** Simulates a flow, as `npm run flow` does. Throws only errors that are bugs. */
export async function answerSimulation(
  simulation: Pick<Simulation, 'run'>,
  request: SimulationRequest,
): Promise<SimulationAnswer> {
  const { flow, issues } = checkFlowText(request.name, request.text, createDefaultMessageCheck());
  if (!flow || issues.length > 0) return { error: 'The flow has issues. Fix them, then simulate it.' };
  let scenarios: readonly Scenario[];
  try {
    scenarios = readRequested(request, flow);
  } catch (error) {
    if (error instanceof FileError) return { error: withoutNames(error.message) };
    throw error;
  }
  const runs: SimulatedRun[] = [];
  for (const scenario of scenarios) {
    const timeline = await simulation.run(flow, scenario);
    const compared = scenario.expect ? { differences: compareTimeline(timeline, scenario.expect) } : {};
    runs.push({ name: scenario.name, ...compared, timeline });
  }
  return { runs };
}
