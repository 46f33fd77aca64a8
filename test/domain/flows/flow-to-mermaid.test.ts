import { readFileSync } from 'node:fs';
import path from 'node:path';
import { flowToMermaid } from '../../../domain/flows/diagrams';
import { formatDuration } from '../../../domain/flows/describe-step';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { smsTokenFlow } from '../../../flows/sms-token.flow';

test('the diagram of step-up has all its steps and transitions', () => {
  const diagram = readFileSync(path.join(__dirname, 'step-up.mmd'), 'utf8');
  expect(flowToMermaid(stepUpFlow)).toBe(diagram);
});

test('a diagram shows the visit limit of a step, and the step that follows the last visit', () => {
  const diagram = flowToMermaid(phoneOnlyFlow);
  expect(diagram).toContain('5 attempts<br/>at most 2 times" as code');
  expect(diagram).toContain('  code --> code: Expired\n');
  expect(diagram).toContain('  code --> expired: after 2 times\n');
});

test('a diagram shows the condition of a rule that has no reason, and escapes the special characters in texts', () => {
  const steps = {
    risk: { kind: 'decide', rules: [{ when: 'score < 5.0 && "a;b" != \'\'', then: 'end' }], else: 'end' },
    end: { kind: 'outcome', outcome: 'Confirmed' },
  } as const;
  const diagram = flowToMermaid({ name: 'x', version: 1, title: 'a "quoted"\ntitle', start: 'risk', steps });
  expect(diagram).toContain('title: "x 1: a \\"quoted\\"\\ntitle"');
  expect(diagram).toContain('  risk --> end_: score #60; 5.0 #38;#38; #34;a#59;b#34; #33;#61; #39;#39;, else\n');
  expect(diagram).toContain('  state "Confirmed" as end_\n');
  expect(diagram).toContain('  end_ --> [*]\n');
});

test('formatDuration writes seconds as a text for people', () => {
  expect([0, 5, 90, 3_600, 5_400, 86_400, 266_461].map(formatDuration)).toEqual([
    '0 s',
    '5 s',
    '1 min 30 s',
    '1 h',
    '1 h 30 min',
    '1 day',
    '3 days 2 h 1 min 1 s',
  ]);
});

test('a diagram has the start of a flow with one step', () => {
  expect(flowToMermaid(smsTokenFlow)).toContain('  [*] --> code\n');
});
