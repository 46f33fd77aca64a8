import { createMessageCheck } from '../../api/flows/checks/message-check';
import { checkFlow } from '../../domain/flows/check-flow';
import { decisionFacts } from '../../domain/flows/decision-facts';
import { flowIssueCodes } from '../../domain/flows/flow-issue';
import { stepSettings } from '../../domain/flows/step-settings';
import { flows } from '../../flows';
import { templates } from '../../flows/templates';
import { createConditions } from '../../platform/conditions/conditions';
import { withChanges, validFlow } from '../support/flow-changes';
import { flowMistakes, waitStep } from '../support/flow-mistakes';

const checkCondition = createConditions(decisionFacts).check;
const checkMessage = createMessageCheck({ linkDomains: ['acme.com'], segmentsPerMessage: 4 });

test.each([...flows, validFlow].map((flow) => [flow.name, flow] as const))('the flow %s has no issue', (_, flow) => {
  expect(checkFlow(flow, { templates, checkCondition, checkMessage })).toEqual([]);
  const confirmSteps = Object.keys(flow.steps).filter((step) => flow.steps[step]?.kind === 'confirm');
  for (const step of confirmSteps) expect(() => stepSettings(flow, step, templates)).not.toThrow();
});

describe('a mistake', () => {
  test.each(flowMistakes)('the mistake "%s" causes only issues with the code %s', (_, code, changes) => {
    const issues = checkFlow(withChanges(validFlow, changes), { templates, checkCondition, checkMessage });
    expect([...new Set(issues.map((found) => found.code))]).toEqual([code]);
  });

  test.each(flowMistakes)('the mistake "%s" has a message and a fix, and each is a sentence', (_, _code, changes) => {
    const sentences = expect.stringMatching(/^\S[^]*[.]$/);
    for (const { message: wrong, fix } of checkFlow(withChanges(validFlow, changes), {
      templates,
      checkCondition,
      checkMessage,
    }))
      expect([wrong, fix]).toEqual([sentences, sentences]);
  });

  test('the list has a mistake for each issue code, and no two codes have the same message and fix', () => {
    expect([...new Set(flowMistakes.map(([, code]) => code))].sort()).toEqual([...flowIssueCodes].sort());
    expect(new Set(flowIssueCodes).size).toBe(flowIssueCodes.length);
    const codesByText = new Map<string, Set<string>>();
    for (const [, , changes] of flowMistakes)
      for (const { code, message: wrong, fix } of checkFlow(withChanges(validFlow, changes), {
        templates,
        checkCondition,
        checkMessage,
      })) {
        const text = `${wrong} ${fix}`;
        codesByText.set(text, (codesByText.get(text) ?? new Set()).add(code));
      }
    expect([...codesByText].filter(([, codes]) => codes.size > 1)).toEqual([]);
  });
});

test('all mistakes of a flow are reported together, but if a transition leads to a missing step, unreached steps are not reported', () => {
  const changes = {
    name: 'SignUp',
    'steps.code.codeDigits': 5,
    'steps.code.exits.Valid': 'done',
    'steps.look.rules.0.when': 'scor < 40',
    'steps.lonely': waitStep('confirmed'),
  };
  const codes = checkFlow(withChanges(validFlow, changes), { templates, checkCondition, checkMessage }).map(
    ({ code }) => code,
  );
  expect(codes.sort()).toEqual(['condition-wrong', 'digits-out-of-range', 'flow-name', 'leads-nowhere']);
});
