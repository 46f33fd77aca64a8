import { readFileSync } from 'node:fs';
import { compareTimeline } from '../../dev/flow/compare-timeline';
import { simulateOnPaper } from '../support/paper/simulate-on-paper';
import { readScenarios } from '../../dev/flow/scenario';
import type { ScenarioTransaction } from '../../dev/flow/scenario-transaction';
import type { Timeline } from '../../dev/flow/timeline';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { leadsTo } from '../../domain/flows/definition';
import { checkFlow } from '../../domain/flows/check-flow';
import { companySignerFlow } from '../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../flows/examples/whatsapp-first.flow';
import { templates } from '../../flows/templates';

const examples: readonly FlowDefinition[] = [phoneOnlyFlow, whatsappFirstFlow, stepUpFlow, companySignerFlow];

/** The conditions of the examples, told in TypeScript: what scenarios take is looked at without the library. */
const conditions: Readonly<Record<string, (transaction: ScenarioTransaction) => boolean>> = {
  "'EM001' in insights": ({ insights = [] }) => insights.includes('EM001'),
  'score >= 60.0': ({ score = 50 }) => score >= 60,
};

const paper = simulateOnPaper({
  templates,
  decide: (condition, transaction) => {
    const told = conditions[condition];
    if (!told) throw new Error(`The test does not know the condition ${condition}.`);
    return told(transaction);
  },
});

const scenariosOf = ({ name }: FlowDefinition) => {
  const file = `flows/examples/${name}.scenarios.yaml`;
  return readScenarios(file, readFileSync(file, 'utf8'));
};

const runAll = (flow: FlowDefinition): Promise<Timeline[]> =>
  Promise.all(scenariosOf(flow).map((scenario) => paper.run(flow, scenario)));

/** The names that a timeline gives to the exits of a step. */
const exitNames = (step: Step) =>
  leadsTo(step).map(({ path }) =>
    path
      .replace('exits.', '')
      .replace(/^then$/, 'Done')
      .replace(/^rules\.(\d+)\.then$/, (_, index) => `rule ${Number(index) + 1}`),
  );

/** Every sequence of steps from the start to an outcome. */
function pathsOf(flow: FlowDefinition): string[] {
  const found = new Set<string>();
  const follow = (name: string, before: readonly string[]): void => {
    const step = flow.steps[name];
    if (!step) throw new Error(`${flow.name} has no step ${name}.`);
    if (step.kind === 'outcome') {
      found.add([...before, name].join(' > '));
      return;
    }
    const visited = before.filter((one) => one === name).length;
    if (step.visits !== undefined && visited >= step.visits) return follow(step.spent ?? '', before);
    for (const { path, to } of leadsTo(step)) if (path !== 'spent') follow(to, [...before, name]);
  };
  follow(flow.start, []);
  return [...found].toSorted((left, right) => left.localeCompare(right));
}

describe.each(examples.map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  test('has no fault', () => {
    expect(checkFlow(flow, { templates })).toEqual([]);
  });

  test.each(scenariosOf(flow).map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const timeline = await paper.run(flow, scenario);
    expect(scenario.expect && compareTimeline(timeline, scenario.expect)).toEqual([]);
  });

  test('every exit of every step is taken by a scenario', async () => {
    const taken = new Set(
      (await runAll(flow)).flatMap(({ entries }) => entries.map(({ step, exit }) => `${step} ${exit ?? ''}`)),
    );
    const exits = Object.entries(flow.steps).flatMap(([name, step]) =>
      exitNames(step).map((exit) => `${name} ${exit}`),
    );
    expect(exits.filter((exit) => !taken.has(exit))).toEqual([]);
  });

  test('every path from the start to an outcome is taken by a scenario', async () => {
    const taken = new Set((await runAll(flow)).map(({ path }) => path.join(' > ')));
    expect(pathsOf(flow).filter((path) => !taken.has(path))).toEqual([]);
  });

  test('every scenario says which path it takes', () => {
    expect(scenariosOf(flow).filter(({ expect }) => !expect?.path)).toEqual([]);
  });
});
