import {
  anything,
  array,
  assert,
  type Arbitrary,
  constant,
  constantFrom,
  dictionary,
  double,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { boundsOf } from '../../../domain/flows/bounds';
import { checkFlow } from '../../../domain/flows/check-flow';
import { defineFlow } from '../../../domain/flows/define-flow';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { flowIssueCodes } from '../../../domain/flows/flow-issue';
import { FlowError } from '../../../domain/flows/flow-error';
import { templates } from '../../../flows/templates';
import { withChanges, validFlow } from '../../support/flow-changes';

const unusualName = constantFrom(
  'a',
  'b',
  'c',
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '💥',
  'x'.repeat(99),
);
const name = oneof(unusualName, string());
const number = oneof(double(), constantFrom(0, 1, 2, 5, 60, 300, -1, 2 ** 53, Number.NaN, Infinity));
const exits = dictionary(oneof(name, constantFrom('Valid', 'Expired', 'Failed', 'Yes')), name, { maxKeys: 6 });
const perhaps = <Value>(value: Arbitrary<Value>) => oneof(value, constant(undefined));
const visited = { visits: perhaps(number), exhausted: perhaps(name) };
const inLanguages = <Value>(value: Arbitrary<Value>) =>
  dictionary(oneof(constantFrom('en', 'es', 'pt-BR'), name), value, { maxKeys: 4 });
const channel = constantFrom('sms', 'email', 'whatsapp');

const step = oneof(
  record({
    kind: constant('confirm'),
    channel,
    ask: constantFrom('token', 'reply'),
    template: perhaps(oneof(name, constantFrom('sms-token', 'email-2fa'))),
    message: perhaps(
      inLanguages(record({ subject: perhaps(string()), body: oneof(string(), constant('{{code}} {{')) })),
    ),
    options: perhaps(
      array(
        record({
          option: number,
          name,
          meaning: constantFrom('yes', 'no', 'neither'),
          label: inLanguages(string()),
          words: array(string(), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
    ),
    expiresAfterSeconds: number,
    sendLimit: number,
    resendAfterSeconds: number,
    attemptLimit: perhaps(number),
    codeDigits: perhaps(number),
    resend: perhaps(constantFrom('reuse', 'rotate')),
    exits,
    ...visited,
  }),
  record({
    kind: constant('biometrics'),
    channels: array(channel),
    linkSeconds: number,
    decideWithinSeconds: number,
    exits,
    ...visited,
  }),
  record({
    kind: constant('decide'),
    rules: array(
      record({
        when: oneof(string(), constantFrom("answers['a'] == 'b'", 'visits.a > 1')),
        then: name,
        because: perhaps(string()),
      }),
      { maxLength: 4 },
    ),
    else: name,
    ...visited,
  }),
  record({ kind: constant('wait'), seconds: number, then: name, ...visited }),
  record({ kind: constant('notify'), event: name, giveUpAfterSeconds: number, exits, ...visited }),
  record({ kind: constant('outcome'), outcome: name }),
);

const anyFlow = record({
  name,
  version: number,
  title: perhaps(string()),
  start: name,
  steps: dictionary(name, step, { maxKeys: 12 }),
}) as unknown as Arbitrary<FlowDefinition>;

const quick = 1_500;

test('no definition makes the checks throw or run long', () => {
  assert(
    property(anyFlow, (flow) => {
      const started = performance.now();
      const issues = checkFlow(flow, { templates });
      const { seconds, sends } = boundsOf(flow);
      expect(performance.now() - started).toBeLessThan(quick);
      const codes: readonly string[] = flowIssueCodes;
      const unknownIssues = issues.filter(
        (one) => !codes.includes(one.code) || !one.message.endsWith('.') || !one.fix.endsWith('.'),
      );
      expect(unknownIssues).toEqual([]);
      if (issues.length === 0) expect(seconds + sends).toBeLessThan(Infinity);
    }),
    { numRuns: 1_500 },
  );
});

test('no check throws when a field of a valid flow is replaced by any number or text', () => {
  const paths = [
    'name',
    'title',
    'start',
    'version',
    'steps.code.visits',
    'steps.code.exhausted',
    'steps.code.exits.Valid',
    'steps.look.rules.0.when',
    'steps.look.else',
    'steps.question.message.en.body',
    'steps.question.options.0.label.en',
    'steps.question.options.1.words',
    'steps.pause.seconds',
  ];
  assert(
    property(constantFrom(...paths), name, number, (path, text, value) => {
      const numeric = /version|visits|seconds/.test(path);
      const given = path.endsWith('words') ? [text] : numeric ? value : text;
      expect(() => checkFlow(withChanges(validFlow, { [path]: given }), { templates })).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['hosts without end', '@.'.repeat(30_000)],
  ['digits apart', '1   '.repeat(16_000)],
  ['brackets', '{{'.repeat(30_000)],
  ['one long word', 'A'.repeat(60_000)],
])('%s are read quickly', (_, text) => {
  const started = performance.now();
  const paths = [
    'title',
    'steps.look.rules.0.when',
    'steps.look.rules.0.because',
    'steps.question.message.en.body',
    'steps.tell.event',
  ];
  for (const path of paths) expect(checkFlow(withChanges(validFlow, { [path]: text }), { templates })).not.toEqual([]);
  expect(performance.now() - started).toBeLessThan(quick);
});

test('a cyclic definition, or one that is not data, is rejected', () => {
  const round: Record<string, unknown> = {};
  round['self'] = round;
  const codes = (value: unknown) =>
    checkFlow(withChanges(validFlow, { title: value }), { templates }).map(({ code }) => code);
  expect(codes(round)).toEqual(['not-plain-data']);
});

test('an invalid flow in code reports every issue with its path and fix', () => {
  const wrong = withChanges(validFlow, { start: 'begin', 'steps.code.codeDigits': 5 });
  expect(() => defineFlow(templates, wrong)).toThrow(FlowError);
  expect(() => defineFlow(templates, wrong)).toThrow(
    [
      'The flow sign-up is invalid:',
      '  start: The start is begin, which is not a step. Use one of the steps: look, code, pause, question, pictures, tell, confirmed, refused.',
      '  steps.code.codeDigits: codeDigits is 5. Give a whole number from 6 to 10.',
    ].join('\n'),
  );
  expect(defineFlow(templates, validFlow)).toBe(validFlow);
});

test('the check uses the given definition and does not change it', () => {
  const frozen = structuredClone(validFlow);
  expect(checkFlow(frozen, { templates })).toEqual([]);
  expect(frozen).toEqual(validFlow);
  assert(
    property(anything(), (value) =>
      expect(() => checkFlow(withChanges(validFlow, { version: value }), { templates })).not.toThrow(),
    ),
  );
});

test('a transition to a missing step is the only issue, and its steps do not count as unreachable', () => {
  const issues = checkFlow(withChanges(validFlow, { start: 'look', 'steps.look.rules.0.then': 'coed' }), { templates });
  expect(issues.map(({ code }) => code)).not.toContain('step-unreached');
  expect(issues.length).toBeGreaterThan(0);
});
