import { readFileSync } from 'node:fs';
import { compareTimeline } from '../../dev/flow/timeline';
import { formatTimeline, makeColors } from '../../dev/flow/print';
import { readScenarios } from '../../dev/flow/scenario';
import { simulateOnServer } from '../../dev/flow/simulation/simulate-on-server';
import type { Timeline } from '../../dev/flow/timeline';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { targetsOf } from '../../domain/flows/definition';
import { checkFlow } from '../../domain/flows/check-flow';
import { anyPhoneFlow } from '../../flows/examples/any-phone.flow';
import { companySignerFlow } from '../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../flows/examples/whatsapp-first.flow';
import { templates } from '../../flows/templates';
import { openGuide } from '../support/guide';
import { openSkippingServer } from '../support/servers/open-environment';

const examples: readonly FlowDefinition[] = [
  phoneOnlyFlow,
  whatsappFirstFlow,
  anyPhoneFlow,
  stepUpFlow,
  companySignerFlow,
];

const { codeBlock } = openGuide('flows.md');
const guideFlow: FlowDefinition = { ...JSON.parse(codeBlock('sample')), version: 1 };

const scenariosOf = (flow: FlowDefinition) => {
  if (flow === guideFlow) return readScenarios('the guide', codeBlock('scenarios'));
  const file = `flows/examples/${flow.name}.scenarios.yaml`;
  return readScenarios(file, readFileSync(file, 'utf8'));
};

let simulation: Awaited<ReturnType<typeof simulateOnServer>>;
/** The key is `<flow>: <scenario>`. */
const timelines = new Map<string, Timeline>();
const timelinesOf = ({ name }: FlowDefinition) =>
  [...timelines].filter(([key]) => key.startsWith(`${name}: `)).map(([, timeline]) => timeline);
beforeAll(async () => {
  simulation = await simulateOnServer(openSkippingServer);
});
afterAll(() => simulation.stop());

/** The names of exits as in a timeline, which never shows `exhausted`. */
const exitNames = (step: Step) =>
  targetsOf(step)
    .filter(({ path }) => path !== 'exhausted')
    .map(({ path }) =>
      path
        .replace('exits.', '')
        .replace(/^then$/, 'Done')
        .replace(/^rules\.(\d+)\.then$/, (_, index) => `rule ${Number(index) + 1}`),
    );

/** Each path from the start to an outcome, such as `code > confirmed`. */
function pathsOf(flow: FlowDefinition): string[] {
  const paths = new Set<string>();
  const follow = (name: string, visitedSteps: readonly string[]): void => {
    const step = flow.steps[name];
    if (!step) throw new Error(`${flow.name} has no step ${name}.`);
    if (step.kind === 'outcome') {
      paths.add([...visitedSteps, name].join(' > '));
      return;
    }
    const visitCount = visitedSteps.filter((one) => one === name).length;
    if (step.visits !== undefined && visitCount >= step.visits) return follow(step.exhausted ?? '', visitedSteps);
    for (const { path, to } of targetsOf(step)) if (path !== 'exhausted') follow(to, [...visitedSteps, name]);
  };
  follow(flow.start, []);
  return [...paths].toSorted((left, right) => left.localeCompare(right));
}

describe.each([...examples, guideFlow].map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  test('the flow has no issue', () => {
    expect(checkFlow(flow, { templates })).toEqual([]);
  });

  test.each(scenariosOf(flow).map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const timeline = await simulation.run(flow, scenario);
    timelines.set(`${flow.name}: ${name}`, timeline);
    if (!scenario.expect) throw new Error('The scenario expects nothing.');
    const differences = compareTimeline(timeline, scenario.expect);
    if (differences.length > 0)
      throw new Error(`${differences.join('\n')}\n${formatTimeline(timeline, makeColors(false))}`);
  });
});

// Must run after the scenarios, because these tests use their timelines.
describe.each(examples.map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  test('every exit of every step is used by a scenario', () => {
    const usedExits = new Set(
      timelinesOf(flow).flatMap(({ entries }) => entries.map(({ step, exit }) => `${step} ${exit ?? ''}`)),
    );
    const exits = Object.entries(flow.steps).flatMap(([name, step]) =>
      exitNames(step).map((exit) => `${name} ${exit}`),
    );
    expect(exits.filter((exit) => !usedExits.has(exit))).toEqual([]);
  });

  test('every path from the start to an outcome is used by a scenario', () => {
    const usedPaths = new Set(timelinesOf(flow).map(({ path }) => path.join(' > ')));
    expect(pathsOf(flow).filter((path) => !usedPaths.has(path))).toEqual([]);
  });

  test('every scenario names its path', () => {
    expect(scenariosOf(flow).filter(({ expect }) => !expect?.path)).toEqual([]);
  });
});
