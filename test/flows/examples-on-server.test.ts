import { readFileSync } from 'node:fs';
import { compareTimeline } from '../../dev/flow/compare-timeline';
import { readScenarios } from '../../dev/flow/scenario';
import { simulateOnServer } from '../../dev/flow/simulate-on-server';
import type { FlowDefinition } from '../../domain/flows/definition';
import { companySignerFlow } from '../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../flows/examples/whatsapp-first.flow';

const examples: readonly FlowDefinition[] = [phoneOnlyFlow, whatsappFirstFlow, stepUpFlow, companySignerFlow];

const scenariosOf = ({ name }: FlowDefinition) => {
  const file = `flows/examples/${name}.scenarios.yaml`;
  return readScenarios(file, readFileSync(file, 'utf8'));
};

let simulation: Awaited<ReturnType<typeof simulateOnServer>>;
beforeAll(async () => {
  simulation = await simulateOnServer();
});
afterAll(() => simulation.stop());

describe.each(examples.map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  test.each(scenariosOf(flow).map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const timeline = await simulation.run(flow, scenario);
    expect(scenario.expect && compareTimeline(timeline, scenario.expect)).toEqual([]);
  });
});
