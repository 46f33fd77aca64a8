import { flowJsonSchema } from '../../api/flows/checks/flow-schema';
import { scriptedStepSyntax } from '../../dev/flow/scripted-step';
import { decisionFacts, ratingKeys } from '../../domain/flows/decision-facts';
import { exitsOf, type Step } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/bounds';
import { limits } from '../../domain/transactions/limits';
import { templates } from '../../flows/templates';
import { createConditions } from '../../platform/conditions/conditions';
import { searchAttributes } from '../../workflows/contract/start';
import { findInSource, openGuide } from '../support/guide';

const { guide, section, codeBlock, table, firstCells } = openGuide('flow-reference.md', 'flow-operations.md');

interface Field {
  const?: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
}
type StepSchema = { properties: Record<string, Field>; required: readonly string[] };
const { properties: flowProperties, $defs } = flowJsonSchema() as unknown as {
  properties: { steps: { additionalProperties: { oneOf: readonly { $ref: string }[] } } };
  $defs: Record<string, StepSchema>;
};
const stepSchemas = flowProperties.steps.additionalProperties.oneOf.map(
  ({ $ref }) => $defs[$ref.replace('#/$defs/', '')] as StepSchema,
);

test.each(stepSchemas.map((schema) => [schema.properties['kind']?.const ?? '', schema] as const))(
  'the guide has the fields of %s, with their values',
  (kind, { properties, required }) => {
    const fields = Object.entries(properties).filter(([name]) => !['kind', 'visits', 'exhausted'].includes(name));
    expect(firstCells(kind)).toEqual(fields.map(([name]) => (required.includes(name) ? name : `${name}?`)));
    const values = table(kind).map(([, value = '']) => value);
    for (const [index, [, { minimum, maximum, enum: choices }]] of fields.entries()) {
      if (maximum !== undefined) expect(values[index]).toBe(`${minimum} to ${maximum}`);
      if (choices) expect(values[index]).toBe(choices.join(', '));
    }
  },
);

test('the guide has the exits of every step', () => {
  const step = (kind: string, ask = '') =>
    ({ kind, ask, options: [{ name: 'Yes' }, { name: 'No' }] }) as unknown as Step;
  const join = (exits: readonly string[]) => exits.join(', ');
  expect(table('exits')).toEqual([
    ['confirm, token', join(exitsOf(step('confirm', 'token')))],
    [
      'confirm, reply',
      join(exitsOf(step('confirm', 'reply'))).replace('Yes, No,', 'the name of each reply, such as Yes and No, and'),
    ],
    ['biometrics', join(exitsOf(step('biometrics')))],
    ['notify', join(exitsOf(step('notify')))],
  ]);
});

test('the guide has every fact of conditions, and every rating', () => {
  const facts = Object.entries(decisionFacts).flatMap(([name, fact]) =>
    'type' in fact
      ? [[name, fact.type, fact.about]]
      : Object.entries(fact.fields).map(([field, { type, about }]) => [`${name}.${field}`, type, about]),
  );
  expect(table('facts')).toEqual(facts);
  expect(section('pairs')).toBe(ratingKeys.join(', '));
});

test('the conditions of the guide are valid', () => {
  const { check } = createConditions(decisionFacts, { maxLength: flowLimits.conditionCharacters });
  expect(firstCells('conditions').map(check)).toEqual(firstCells('conditions').map(() => undefined));
});

test('the guide has every template', () => {
  const expected = Array.from(templates.values(), ({ name, channels, ask, options = [] }) => [
    name,
    channels.join(', '),
    [ask, options.map((reply) => reply.name).join(', ')].filter(Boolean).join(': '),
  ]);
  expect(table('templates')).toEqual(expected);
});

test('the guide has the limits', () => {
  const { runSeconds, sends, steps, arrows, definitionBytes, stepsEntered, runsPerTransaction } = flowLimits;
  expect(table('limits').map(([, most]) => Number(most))).toEqual([
    runSeconds / 86_400,
    sends,
    steps,
    arrows,
    definitionBytes,
    stepsEntered,
    runsPerTransaction,
  ]);
  const { sendsPerDestination, sendsPerTransaction, attemptsPerTransaction } = limits;
  expect(guide.replaceAll('\n', ' ')).toContain(
    `at most ${sendsPerDestination} messages to a phone or mailbox in 24 hours. A transaction sends at most ${sendsPerTransaction} messages and accepts at most ${attemptsPerTransaction} attempts`,
  );
  expect(guide).toContain(`Labels on WhatsApp have at most ${flowLimits.labelCharacters} characters`);
});

test('the guide has every scripted step, and everything that a flow run may wait for', () => {
  expect(codeBlock('lines')).toBe(scriptedStepSyntax.join('\n'));
  const kinds = findInSource(
    /\bkind: ('\w+'(?: \| '\w+')*)/g,
    'domain/transactions/status.ts',
    'domain/flows/view-run.ts',
  )
    .join()
    .match(/\w+/g);
  expect(firstCells('awaited')).toEqual([...new Set(kinds)]);
});

test('the queries of the guide name search attributes (indexed fields of workflows) that exist', () => {
  const attributeNames = Array.from(codeBlock('queries').matchAll(/\bCountersign\w+/g), ([name]) => name);
  expect(Object.values(searchAttributes).map(({ name }) => name)).toEqual(expect.arrayContaining(attributeNames));
  expect(codeBlock('queries').split('\n')).toHaveLength(3);
});
