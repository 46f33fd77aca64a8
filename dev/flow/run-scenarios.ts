import type { FlowFile } from './open-flow';
import { type Colors, formatTimeline } from './print';
import type { Scenario } from './scenario';
import { compareTimeline, type Simulation } from './timeline';

interface Output {
  write: (text: string) => void;
  colors: Colors;
}

/** Runs every scenario of a flow and prints its result. Also prints the timeline of each failed scenario. Returns how many failed. */
export async function runScenarios(
  { flow }: FlowFile,
  scenarios: readonly Scenario[],
  simulation: Simulation,
  { write, colors }: Output,
): Promise<number> {
  let failedCount = 0;
  for (const scenario of scenarios) {
    const timeline = await simulation.run(flow, scenario);
    const differences = scenario.expect ? compareTimeline(timeline, scenario.expect) : [];
    const mark = differences.length === 0 ? colors.good('passed') : colors.bad('FAILED');
    write(`${mark}  ${flow.name}: ${scenario.name}\n`);
    if (differences.length === 0) continue;
    failedCount += 1;
    write(differences.map((difference) => `        ${difference}\n`).join(''));
    write(formatTimeline(timeline, colors));
  }
  return failedCount;
}
