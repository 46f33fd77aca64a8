import type { DecideStep, FlowDefinition } from '../../../domain/flows/definition';
import { describeStep } from '../../../domain/flows/describe-step';
import { outcomesOf } from '../../../domain/flows/run';
import { languages } from '../../../domain/transactions/input';

const judge: DecideStep = { kind: 'decide', rules: [{ when: 'score < 40', then: 'no' }], else: 'yes' };
const buildSteps = (step: DecideStep): FlowDefinition['steps'] => ({
  judge: step,
  yes: { kind: 'outcome', outcome: 'Confirmed' },
  no: { kind: 'outcome', outcome: 'Denied' },
  'also-no': { kind: 'outcome', outcome: 'Denied' },
});

test('a flow with a decide step without `failed` can also end as NotDecided', () => {
  expect(outcomesOf({ steps: buildSteps(judge) })).toEqual(['Confirmed', 'Denied', 'NotDecided']);
  expect(outcomesOf({ steps: buildSteps({ ...judge, failed: 'no' }) })).toEqual(['Confirmed', 'Denied']);
});

test.each(languages)('the drawing in %s names NotDecided at a decide step without `failed`', (language) => {
  expect(describeStep(judge, language).join()).toContain('NotDecided');
  expect(describeStep({ ...judge, failed: 'no' }, language).join()).not.toContain('NotDecided');
});
