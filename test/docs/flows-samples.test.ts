import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPutFlow } from '../../api/flows/read-put-body';
import { checkFlowWithTemplates } from '../../api/flows/checks/check-definition';
import { readScenarios } from '../../dev/flow/scenario';
import { boundsOf } from '../../domain/flows/bounds';
import { drawingStyle, flowToDot } from '../../domain/flows/diagrams';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { formatCount, formatDuration } from '../../domain/flows/describe-step';
import { anyPhoneFlow } from '../../flows/examples/any-phone.flow';
import { companySignerFlow } from '../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../flows/examples/whatsapp-first.flow';
import { renderDot } from '../../api/flows/compute/graphviz';
import { withChanges } from '../support/flow-changes';
import { openGuide } from '../support/guide';

const { guide, codeBlock } = openGuide('flows.md', 'flow-reference.md', 'flow-examples.md', 'flow-operations.md');
const diagramFolder = path.join(__dirname, '..', '..', 'docs', 'images', 'flows');
const sampleFlow: FlowDefinition = { ...JSON.parse(codeBlock('sample')), version: 1 };
const examples = [phoneOnlyFlow, whatsappFirstFlow, anyPhoneFlow, stepUpFlow, companySignerFlow];

describe('the flow of the guide', () => {
  test('the flow of the guide has no issue, and PUT accepts it unchanged', () => {
    expect(checkFlowWithTemplates(sampleFlow)).toEqual([]);
    expect(readPutFlow(sampleFlow.name, JSON.parse(codeBlock('sample')))).toEqual({ flow: sampleFlow });
  });

  test('after a mistake is added, the flow of the guide has the issue that the guide shows', () => {
    const invalidFlow = withChanges(sampleFlow, { 'steps.code.exits.Blocked': 'deny' });
    expect(checkFlowWithTemplates(invalidFlow)).toHaveLength(1);
    for (const { path: issuePath, code, message, fix } of checkFlowWithTemplates(invalidFlow))
      expect(guide).toContain(`  ${issuePath} [${code}]\n    ${message}\n    ${fix}\n`);
  });

  test('the guide has at least three scenarios for its flow, which test/flows/examples.test.ts runs', () => {
    expect(readScenarios('the guide', codeBlock('scenarios')).length).toBeGreaterThan(2);
  });

  test('the own-text step of the guide is valid: in place of two steps of a flow, it causes only issues about unreached steps', () => {
    const step = JSON.parse(codeBlock('own-text')) as Step;
    expect(
      checkFlowWithTemplates({ ...sampleFlow, steps: { ...sampleFlow.steps, question: step, tell: step } }),
    ).toEqual([
      expect.objectContaining({ code: 'step-unreached', path: 'steps.code' }),
      expect.objectContaining({ code: 'step-unreached', path: 'steps.tell' }),
    ]);
  });
});

test.each(examples.map((flow) => [flow.name, flow] as const))('the guide has the limits of %s', (name, flow) => {
  const [, text = ''] = guide.split(`\n## ${name}\n`);
  const { seconds, sends } = boundsOf(flow);
  expect(text.split('![')[0]).toContain(
    `at most ${formatDuration(seconds)} and sends at most ${formatCount(sends, 'message')}.`,
  );
});

test('the guide has the limits of its own flow', () => {
  const { seconds, sends } = boundsOf(sampleFlow);
  expect(guide).toContain(
    `A flow run takes at most ${formatDuration(seconds)} and sends at most ${formatCount(sends, 'message')}.`,
  );
});

test('the guide shows exactly the diagrams in docs/images/flows', () => {
  const usedDiagrams = Array.from(guide.matchAll(/images\/flows\/([\w.-]+)/g), ([, file = '']) => file);
  expect(usedDiagrams.toSorted()).toEqual(readdirSync(diagramFolder).toSorted());
});

// To update a diagram: npm run flow -- draw FILE --out docs/images/flows/NAME.svg
test.each([sampleFlow, ...examples].map((flow) => [flow.name, flow] as const))(
  'the diagram of %s is up to date',
  async (name, flow) => {
    expect(readFileSync(path.join(diagramFolder, `${name}.svg`), 'utf8')).toBe(
      await renderDot(flowToDot(flow), drawingStyle),
    );
  },
);
