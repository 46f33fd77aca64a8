import type { Colours } from './colours';
import { compareTimeline } from './compare-timeline';
import type { OpenFlow } from './open-flow';
import { printTimeline } from './print-timeline';
import type { Scenario } from './scenario';
import type { Simulation } from './timeline';

interface Output {
  write: (text: string) => void;
  colours: Colours;
}

/** Runs every scenario of a flow and tells each as it ends, a failed one with its timeline. Answers how many failed. */
export async function runScenarios(
  { flow }: OpenFlow,
  scenarios: readonly Scenario[],
  simulation: Simulation,
  { write, colours }: Output,
): Promise<number> {
  let failed = 0;
  for (const scenario of scenarios) {
    const timeline = await simulation.run(flow, scenario);
    const differences = scenario.expect ? compareTimeline(timeline, scenario.expect) : [];
    const mark = differences.length === 0 ? colours.good('passed') : colours.bad('FAILED');
    write(`${mark}  ${flow.name}: ${scenario.name}\n`);
    if (differences.length === 0) continue;
    failed += 1;
    write(differences.map((difference) => `        ${difference}\n`).join(''));
    write(printTimeline(timeline, colours));
  }
  return failed;
}
