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
import { checkFlow, defineFlow } from '../../../domain/flows/check-flow';
import { type FlowDefinition, FlowError } from '../../../domain/flows/definition';
import { flowIssueCodes } from '../../../domain/flows/flow-issue';
import { templates } from '../../../flows/templates';
import { withChanges, validFlow } from '../../support/flow-changes';
import { cpuTimeMs } from '../../support/cpu-time';

const wrongExits = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`e${index}`, 'nowhere']));

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
const anyName = oneof(unusualName, string());
const anyNumber = oneof(double(), constantFrom(0, 1, 2, 5, 60, 300, -1, 2 ** 53, Number.NaN, Infinity));
const anyExits = dictionary(oneof(anyName, constantFrom('Valid', 'Expired', 'Failed', 'Yes')), anyName, { maxKeys: 6 });
const optional = <Value>(value: Arbitrary<Value>) => oneof(value, constant(undefined));
const visitFields = { visits: optional(anyNumber), exhausted: optional(anyName) };
const inLanguages = <Value>(value: Arbitrary<Value>) =>
  dictionary(oneof(constantFrom('en', 'es', 'pt-BR'), anyName), value, { maxKeys: 4 });
const anyChannel = constantFrom('sms', 'email', 'whatsapp');

const anyStep = oneof(
  record({
    kind: constant('confirm'),
    channel: anyChannel,
    ask: constantFrom('token', 'reply'),
    template: optional(oneof(anyName, constantFrom('sms-token', 'email-2fa'))),
    message: optional(
      inLanguages(record({ subject: optional(string()), body: oneof(string(), constant('{{code}} {{')) })),
    ),
    options: optional(
      array(
        record({
          option: anyNumber,
          name: anyName,
          meaning: constantFrom('yes', 'no', 'neither'),
          label: inLanguages(string()),
          words: array(string(), { maxLength: 3 }),
        }),
        { maxLength: 4 },
      ),
    ),
    expiresAfterSeconds: anyNumber,
    sendLimit: anyNumber,
    resendAfterSeconds: anyNumber,
    attemptLimit: optional(anyNumber),
    codeDigits: optional(anyNumber),
    resend: optional(constantFrom('reuse', 'rotate')),
    exits: anyExits,
    ...visitFields,
  }),
  record({
    kind: constant('biometrics'),
    channels: array(anyChannel),
    linkSeconds: anyNumber,
    decideWithinSeconds: anyNumber,
    exits: anyExits,
    ...visitFields,
  }),
  record({
    kind: constant('decide'),
    rules: array(
      record({
        when: oneof(string(), constantFrom("exits['a'] == 'b'", 'visits.a > 1')),
        then: anyName,
        because: optional(string()),
      }),
      { maxLength: 4 },
    ),
    else: anyName,
    ...visitFields,
  }),
  record({ kind: constant('wait'), seconds: anyNumber, then: anyName, ...visitFields }),
  record({ kind: constant('notify'), event: anyName, giveUpAfterSeconds: anyNumber, exits: anyExits, ...visitFields }),
  record({ kind: constant('outcome'), outcome: anyName }),
);

/** Valid or not, with unusual names and numbers. */
const anyFlow = record({
  name: anyName,
  version: anyNumber,
  title: optional(string()),
  start: anyName,
  steps: dictionary(anyName, anyStep, { maxKeys: 12 }),
}) as unknown as Arbitrary<FlowDefinition>;

const maxDurationMs = 1_500;

test('no definition makes the checks throw an error or take long', () => {
  assert(
    property(anyFlow, (flow) => {
      const startedAt = cpuTimeMs();
      const issues = checkFlow(flow, { templates });
      const { seconds, sends } = boundsOf(flow);
      expect(cpuTimeMs() - startedAt).toBeLessThan(maxDurationMs);
      const codes: readonly string[] = flowIssueCodes;
      const malformedIssues = issues.filter(
        (one) => !codes.includes(one.code) || !one.message.endsWith('.') || !one.fix.endsWith('.'),
      );
      expect(malformedIssues).toEqual([]);
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
    property(constantFrom(...paths), anyName, anyNumber, (path, text, value) => {
      const isNumber = /version|visits|seconds/.test(path);
      const replacement = path.endsWith('words') ? [text] : isNumber ? value : text;
      expect(() => checkFlow(withChanges(validFlow, { [path]: replacement }), { templates })).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['many at signs and dots', '@.'.repeat(30_000)],
  ['digits with spaces between them', '1   '.repeat(16_000)],
  ['brackets', '{{'.repeat(30_000)],
  ['one long word', 'A'.repeat(60_000)],
])('a flow with a long text is checked quickly: %s', (_, text) => {
  const startedAt = cpuTimeMs();
  const paths = [
    'title',
    'steps.look.rules.0.when',
    'steps.look.rules.0.because',
    'steps.question.message.en.body',
    'steps.tell.event',
  ];
  for (const path of paths) expect(checkFlow(withChanges(validFlow, { [path]: text }), { templates })).not.toEqual([]);
  expect(cpuTimeMs() - startedAt).toBeLessThan(maxDurationMs);
});

test('a cyclic definition is rejected', () => {
  const cyclicObject: Record<string, unknown> = {};
  cyclicObject['self'] = cyclicObject;
  const findCodes = (value: unknown) =>
    checkFlow(withChanges(validFlow, { title: value }), { templates }).map(({ code }) => code);
  expect(findCodes(cyclicObject)).toEqual(['not-plain-data']);
});

test('defineFlow reports every issue of an invalid flow with its path and fix', () => {
  const invalidFlow = withChanges(validFlow, { start: 'begin', 'steps.code.codeDigits': 5 });
  expect(() => defineFlow(templates, invalidFlow)).toThrow(FlowError);
  expect(() => defineFlow(templates, invalidFlow)).toThrow(
    [
      'The flow `sign-up` is invalid:',
      '  start: The start is `begin`, which is not a step. Use one of the steps: `look`, `code`, `pause`, `question`, `pictures`, `tell`, `confirmed`, `refused`.',
      '  steps.code.codeDigits: `codeDigits` is 5. Give a whole number from 6 to 10.',
    ].join('\n'),
  );
  expect(defineFlow(templates, validFlow)).toBe(validFlow);
});

test('the check of a flow does not change the definition, and never throws, whatever the value of the version is', () => {
  const copy = structuredClone(validFlow);
  expect(checkFlow(copy, { templates })).toEqual([]);
  expect(copy).toEqual(validFlow);
  assert(
    property(anything(), (value) =>
      expect(() => checkFlow(withChanges(validFlow, { version: value }), { templates })).not.toThrow(),
    ),
  );
});

test('if a transition leads to a missing step, no step is reported as unreached, because the missing name may be a typo', () => {
  const issues = checkFlow(withChanges(validFlow, { start: 'look', 'steps.look.rules.0.then': 'coed' }), { templates });
  expect(issues.map(({ code }) => code)).not.toContain('step-unreached');
  expect(issues.length).toBeGreaterThan(0);
});

test.each([
  ['one step with thousands of wrong exits', { 'steps.code.exits': wrongExits(3_000) }],
  [
    'many steps with wrong exits',
    Object.fromEntries(
      Array.from({ length: 35 }, (_, index) => [
        `steps.s${index}`,
        { ...validFlow.steps['code'], exits: wrongExits(20) },
      ]),
    ),
  ],
])('a check of %s ends soon after 50 issues', (_, changes) => {
  const { length } = checkFlow(withChanges(validFlow, changes), { templates });
  expect(length).toBeGreaterThanOrEqual(50);
  expect(length).toBeLessThan(200);
});
