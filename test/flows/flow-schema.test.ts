import Ajv from 'ajv/dist/2020';
import { assert, anything, property } from 'fast-check';
import type { z } from 'zod';
import { flowJsonSchema, type flowSchema } from '../../api/flows/checks/flow-schema';
import { readFlow } from '../../api/flows/checks/check-definition';
import type { FlowDefinition } from '../../domain/flows/definition';
import { flows } from '../../flows';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

/** All fields and lists writable: types of JSON data have no `readonly`. */
type Plain<Type> = Type extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Plain<Type[Key]> }
    : Type;
/** Exactly equal: a check by assignment would accept an additional optional field. */
type Equal<Left, Right> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only generics compare whole types
  (<Type>() => Type extends Left ? 1 : 2) extends <Type>() => Type extends Right ? 1 : 2 ? true : false;

test('the type of a flow that the schema has parsed equals FlowDefinition', () => {
  const areEqual: Equal<Plain<z.output<typeof flowSchema>>, Plain<FlowDefinition>> = true;
  const assignable: FlowDefinition = {} as z.output<typeof flowSchema>;
  expect([areEqual, assignable]).toEqual([true, {}]);
  // @ts-expect-error: a type with an additional field is not equal.
  const withExtraField: Equal<Plain<z.output<typeof flowSchema>>, Plain<FlowDefinition & { more?: string }>> = true;
  expect(withExtraField).toBe(true);
});

const toJson = (flow: FlowDefinition): unknown => JSON.parse(JSON.stringify(flow));

/** The JSON file that a team writes. */
function toFlowFile(flow: FlowDefinition): unknown {
  const { version: _version, ...file } = toJson(flow) as FlowDefinition;
  return { $schema: 'flow.schema.json', ...file };
}

describe.each([...flows, validFlow].map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  test('a flow is read without a change', () => {
    expect(readFlow(toJson(flow))).toEqual({ flow });
  });

  test('a flow is valid in the schema for editors', () => {
    const validate = new Ajv({ strict: false }).compile(flowJsonSchema());
    expect([validate(toFlowFile(flow)), validate.errors]).toEqual([true, null]);
  });
});

test('the schema for editors rejects numbers out of range and invalid names', () => {
  const validate = new Ajv({ strict: false }).compile(flowJsonSchema());
  const changes: FlowChanges[] = [
    { name: 'Sign Up' },
    { 'steps.code.codeDigits': 5 },
    { 'steps.code.extra': 1 },
    { 'steps.pause.seconds': 1.5 },
    { 'steps.refused.outcome': 'refused' },
  ];
  for (const change of changes) expect(validate(toFlowFile(withChanges(validFlow, change)))).toBe(false);
  expect(validate(toJson(validFlow))).toBe(false);
});

const stepNamesFix =
  'Use one of the steps: `look`, `code`, `pause`, `question`, `pictures`, `tell`, `confirmed`, `refused`.';

test.each<[string, FlowChanges, string]>([
  [
    'an unknown field of a step',
    { 'steps.code.digits': 6 },
    'field-unknown steps.code.digits: The field `digits` is unknown here. Write one of `message`, `options`, `deliverWithinSeconds`, or remove it.',
  ],
  [
    'an additional field of a flow',
    { title: undefined, titel: 'x' },
    'field-unknown titel: The field `titel` is unknown here. Did you mean `title`? Write one of `title`, `values`, or remove it.',
  ],
  [
    'an additional field of a complete rule',
    { 'steps.look.rules.0.if': 'x' },
    'field-unknown steps.look.rules.0.if: The field `if` is unknown here. Remove it.',
  ],
  [
    'a misspelled field of a rule',
    { 'steps.look.rules.1.becuase': 'x' },
    'field-unknown steps.look.rules.1.becuase: The field `becuase` is unknown here. Did you mean `because`? Write `because`, or remove it.',
  ],
  [
    'an additional field of a text',
    { 'steps.question.message.en.text': 'x' },
    'field-unknown steps.question.message.en.text: The field `text` is unknown here. Remove it.',
  ],
  [
    'an additional field of an outcome',
    { 'steps.confirmed.exits': {} },
    'field-unknown steps.confirmed.exits: The field `exits` is unknown here. Remove it.',
  ],
  [
    'a missing field of a step',
    { 'steps.code.sendLimit': undefined },
    'field-missing steps.code.sendLimit: `sendLimit` is missing. Write a whole number.',
  ],
  [
    'a number as a text',
    { 'steps.pause.seconds': '60' },
    'wrong-type steps.pause.seconds: `seconds` is `"60"`. Write a whole number of seconds.',
  ],
  [
    'a value that is not a list',
    { 'steps.look.rules': {} },
    'wrong-type steps.look.rules: `rules` is `{}`. Write a list of rules, each with `when` and `then`.',
  ],
  [
    'a missing language of a message on WhatsApp',
    { 'steps.question.channel': 'whatsapp', 'steps.question.message.es': undefined },
    'field-missing steps.question.message.es: `es` is missing. Write an object with `body`.',
  ],
  [
    'a missing language of an e-mail',
    { 'steps.question.channel': 'email', 'steps.question.message.es': undefined },
    'field-missing steps.question.message.es: `es` is missing. Write an object with `subject`, `body`.',
  ],
  [
    'steps in a list',
    { steps: [] },
    'wrong-type steps: `steps` is `[]`. Write an object that has each step under its name.',
  ],
  ['a missing start', { start: undefined }, `field-missing start: \`start\` is missing. ${stepNamesFix}`],
  [
    'a transition that is a number',
    { 'steps.pause.then': 7 },
    `wrong-type steps.pause.then: \`then\` is 7. ${stepNamesFix}`,
  ],
  [
    'an invalid exit',
    { 'steps.code.exits.Valid': null },
    `wrong-type steps.code.exits.Valid: \`Valid\` is \`null\`. ${stepNamesFix}`,
  ],
  [
    'a missing else',
    { 'steps.look.else': undefined },
    `field-missing steps.look.else: \`else\` is missing. ${stepNamesFix}`,
  ],
  [
    'missing exits of a code',
    { 'steps.code.exits': undefined },
    'field-missing steps.code.exits: `exits` is missing. Write an object with the next step for each exit: `Valid`, `Expired`, `Blocked`, `Failed`.',
  ],
  [
    'missing exits of a second factor with its own replies',
    { 'steps.question.exits': undefined },
    'field-missing steps.question.exits: `exits` is missing. Write an object with the next step for each exit: `Yes`, `NotMe`, `Expired`, `Failed`.',
  ],
  [
    'missing exits of a biometrics step',
    { 'steps.pictures.exits': [] },
    'wrong-type steps.pictures.exits: `exits` is `[]`. Write an object with the next step for each exit: `Approved`, `Rejected`, `Inconclusive`, `Expired`, `Abandoned`, `Canceled`, `Undecided`.',
  ],
  [
    'a rule without a condition',
    { 'steps.look.rules.0.when': undefined },
    'field-missing steps.look.rules.0.when: `when` is missing. Write a condition, such as `score < 40`.',
  ],
  [
    'a misspelled channel',
    { 'steps.code.channel': 'smss' },
    'value-unknown steps.code.channel: `channel` is `"smss"`. Did you mean `sms`? Write one of `sms`, `email`, `whatsapp`, `voice`.',
  ],
  [
    'an unknown channel',
    { 'steps.code.channel': 'fax' },
    'value-unknown steps.code.channel: `channel` is `"fax"`. Write one of `sms`, `email`, `whatsapp`, `voice`.',
  ],
  [
    'a missing channel',
    { 'steps.code.channel': undefined },
    'field-missing steps.code.channel: `channel` is missing. Write one of `sms`, `email`, `whatsapp`, `voice`.',
  ],
  [
    'an unknown kind',
    { 'steps.code.kind': 'ask' },
    'step-kind-unknown steps.code.kind: The kind of the step is `"ask"`. Write one of `confirm`, `biometrics`, `decide`, `wait`, `notify`, `outcome`.',
  ],
  [
    'a step without a kind',
    { 'steps.code.kind': undefined },
    'step-kind-unknown steps.code.kind: The kind of the step is missing. Write one of `confirm`, `biometrics`, `decide`, `wait`, `notify`, `outcome`.',
  ],
  [
    'a step that is text',
    { 'steps.code': 'code' },
    'wrong-type steps.code: `code` is `"code"`. Write an object with one of these kinds: `confirm`, `biometrics`, `decide`, `wait`, `notify`, `outcome`.',
  ],
  [
    'a step with a reserved name',
    { 'steps.__proto__': { kind: 'outcome', outcome: 'Done' } },
    'name-reserved steps.__proto__: `__proto__` is a reserved name. Use another name.',
  ],
])('%s is reported with its code, path, message and fix', (_, change, expected) => {
  const readResult = readFlow(toJson(withChanges(validFlow, change)));
  const issues = 'issues' in readResult ? readResult.issues : [];
  expect(issues.map(({ code, path, message, fix }) => `${code} ${path}: ${message} ${fix}`)).toEqual([expected]);
});

test('a flow without name and version gets both from the request', () => {
  const unnamedFlow = toJson(withChanges(validFlow, { name: undefined, version: undefined }));
  expect(readFlow(unnamedFlow, { name: 'other', version: 3 })).toEqual({
    flow: { ...validFlow, name: 'other', version: 3 },
  });
  expect(readFlow(toJson(validFlow), { name: 'sign-up' })).toEqual({ flow: validFlow });
});

test('reading any input returns a flow or issues, and throws no error', () => {
  const isRejected = (value: unknown) =>
    'issues' in readFlow(value) && 'issues' in readFlow({ ...validFlow, steps: value });
  assert(
    property(anything({ withNullPrototype: true, maxDepth: 4 }), (value) =>
      expect(typeof isRejected(value)).toBe('boolean'),
    ),
  );
  expect(readFlow(null)).toMatchObject({ issues: [{ code: 'wrong-type', path: '' }] });
});
