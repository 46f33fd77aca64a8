import { mermaidOf } from '../../../domain/flows/mermaid';
import { formatDuration } from '../../../domain/flows/describe-step';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { smsTokenFlow } from '../../../flows/sms-token.flow';

test('a flow of every kind of step is drawn', () => {
  expect(mermaidOf(stepUpFlow)).toMatchSnapshot();
});

test('a step that is entered again says how often, and where a run goes then', () => {
  const drawn = mermaidOf(phoneOnlyFlow);
  expect(drawn).toContain('5 attempts<br/>at most 2 times" as code');
  expect(drawn).toContain('  code --> code: Expired\n');
  expect(drawn).toContain('  code --> expired: after 2 times\n');
});

test('a condition without a reason is its own label, and no letter of it is syntax', () => {
  const steps = {
    risk: { kind: 'decide', rules: [{ when: 'score < 5.0 && "a;b" != \'\'', then: 'end' }], else: 'end' },
    end: { kind: 'outcome', outcome: 'Confirmed' },
  } as const;
  const drawn = mermaidOf({ name: 'x', version: 1, title: 'a "quoted"\ntitle', start: 'risk', steps });
  expect(drawn).toContain('title: "x 1: a \\"quoted\\"\\ntitle"');
  expect(drawn).toContain('  risk --> end_: score #60; 5.0 #38;#38; #34;a#59;b#34; #33;#61; #39;#39;, else\n');
  expect(drawn).toContain('  state "Confirmed" as end_\n');
  expect(drawn).toContain('  end_ --> [*]\n');
});

test('times are told as people say them', () => {
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

test('a flow of one step begins there', () => {
  expect(mermaidOf(smsTokenFlow)).toContain('  [*] --> code\n');
});
