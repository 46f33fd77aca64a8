import { anything, assert, property } from 'fast-check';
import { checkDefinition, readFlow } from '../../api/flows/checks/check-definition';
import type { FlowDefinition } from '../../domain/flows/definition';
import { flows } from '../../flows';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

const toJson = (flow: FlowDefinition): unknown => JSON.parse(JSON.stringify(flow));

function issuesOf(value: unknown): string[] {
  const result = checkDefinition(value);
  return 'issues' in result ? result.issues.map(({ code, path }) => `${path} [${code}]`) : [];
}

/** Changes that add 101 exits of a wrong type. */
const manyFields = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`steps.code.exits.${at}`, at]));

// A shape issue is an unknown or missing field, a wrong type, or an unknown value or kind.
test.each<[string, FlowChanges, string[]]>([
  [
    'an unknown field, a number out of range, and a transition to a missing step',
    { titel: 'x', 'steps.code.codeDigits': 99, 'steps.pause.then': 'coed' },
    ['titel [field-unknown]', 'steps.code.codeDigits [digits-out-of-range]', 'steps.pause.then [leads-nowhere]'],
  ],
  [
    'a field without a name',
    { '': 1, 'steps.pause.seconds': 0 },
    [' [field-unknown]', 'steps.pause.seconds [wait-out-of-range]'],
  ],
  [
    'a start of a wrong type and a step without a name',
    { start: 7, 'steps.': { kind: 'wait', seconds: 60, then: 'code' } },
    ['start [wrong-type]', 'steps. [step-name]'],
  ],
  [
    'too many steps and a start of a wrong type',
    {
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`steps.more-${at}`, { kind: 'wait', seconds: 60, then: 'code' }]),
      ),
      start: 7,
    },
    ['start [wrong-type]', 'steps [too-many-steps]'],
  ],
  [
    'only the shape issue of a step with two issues, and also the issue of another step',
    { 'steps.code.channel': 'fax', 'steps.code.codeDigits': 99, 'steps.pause.seconds': 0 },
    ['steps.code.channel [value-unknown]', 'steps.pause.seconds [wait-out-of-range]'],
  ],
  [
    'two issues of one step: an invalid name and an unknown kind',
    { 'steps.Code!': { kind: 'ask' }, 'steps.pause.then': 'Code!' },
    ['steps.Code!.kind [step-kind-unknown]', 'steps.Code! [step-name]'],
  ],
  [
    'a missing start and an invalid title',
    { start: undefined, title: 7, 'steps.pause.seconds': 0 },
    ['title [wrong-type]', 'start [field-missing]', 'steps.pause.seconds [wait-out-of-range]'],
  ],
  [
    'only the reserved name of a step, although the flow has another mistake',
    { 'steps.__proto__': {}, start: 'x' },
    ['steps.__proto__ [name-reserved]'],
  ],
])('one check reports %s', (_, changes, issues) => {
  expect(issuesOf(toJson(withChanges(validFlow, changes))).toSorted()).toEqual(issues.toSorted());
});

test('the check of a flow stops after 100 shape issues (unknown fields, wrong types)', () => {
  const issues = issuesOf(toJson(withChanges(validFlow, { ...manyFields, 'steps.pause.seconds': 0 })));
  expect(issues).toHaveLength(100);
  expect(issues).not.toContain('steps.pause.seconds [wait-out-of-range]');
});

const fieldsOf = (prefix: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value).map((key) => `${prefix}${key}`) : [];

const isWithin = (issuePath: string, path: string) =>
  issuePath.startsWith(`${path} `) || issuePath.startsWith(`${path}.`);

describe.each([...flows, validFlow].map((flow) => [flow.name, flow] as const))('the flow %s', (_, flow) => {
  const stepFieldPaths = Object.entries(flow.steps).flatMap(([name, step]) => fieldsOf(`steps.${name}.`, step));
  const flowFieldPaths = [...fieldsOf('', flow), ...fieldsOf('steps.', flow.steps)];

  test.each(['', 'and.a.half', 7, null, [], {}].map((value) => [value]))(
    'if %j replaces the value of a step or field, only this step or field has issues',
    (value) => {
      const invalidPaths = [...flowFieldPaths, ...stepFieldPaths].filter(
        (path) => 'issues' in readFlow(toJson(withChanges(flow, { [path]: value }))),
      );
      expect(invalidPaths.length).toBeGreaterThan(3);
      for (const path of invalidPaths) {
        const issues = issuesOf(toJson(withChanges(flow, { [path]: value })));
        const step = path.split('.').slice(0, 2).join('.');
        expect([path, issues.filter((issuePath) => !isWithin(issuePath, step))]).toEqual([path, []]);
        expect(issues).not.toEqual([]);
      }
    },
  );

  test('if the name of a field of a step is wrong, only this step has issues', () => {
    for (const path of stepFieldPaths) {
      const step = path.split('.').slice(0, 2).join('.');
      const [value] = path
        .split('.')
        .slice(1)
        .reduce<unknown[]>(([parent], key) => [(parent as Record<string, unknown>)[key]], [flow.steps]);
      const issues = issuesOf(toJson(withChanges(flow, { [path]: undefined, [`${path}x`]: value })));
      expect([path, issues.filter((issuePath) => !isWithin(issuePath, step))]).toEqual([path, []]);
      for (const issuePath of issues)
        expect(issuePath).toMatch(/\[(?:field-unknown|field-missing|step-kind-unknown)\]$/);
      expect(issues).not.toEqual([]);
    }
  });
});

test('checkDefinition reports, for any input, every shape issue that readFlow reports', () => {
  const anyValue = anything({ withNullPrototype: true, maxDepth: 4 });
  assert(
    property(anyValue, anyValue, (value, step) => {
      for (const input of [
        value,
        { ...validFlow, steps: value },
        { ...validFlow, steps: { ...validFlow.steps, anyValue: step } },
      ]) {
        const [readResult, checkResult] = [readFlow(input), checkDefinition(input)];
        if ('issues' in readResult)
          expect('issues' in checkResult && checkResult.issues).toEqual(expect.arrayContaining([...readResult.issues]));
      }
    }),
  );
});
