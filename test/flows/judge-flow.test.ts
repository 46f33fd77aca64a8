import { anything, assert, property } from 'fast-check';
import { judgeFlow } from '../../api/flows/judge-flow';
import { readFlow } from '../../api/flows/read-flow';
import type { FlowDefinition } from '../../domain/flows/definition';
import { flows } from '../../flows';
import { changedFlow, type FlowChanges, goodFlow } from '../support/flow-changes';

const json = (flow: FlowDefinition): unknown => JSON.parse(JSON.stringify(flow));

function placesOf(value: unknown): string[] {
  const judged = judgeFlow(value);
  return 'faults' in judged ? judged.faults.map(({ code, path }) => `${path} [${code}]`) : [];
}

const manyFields = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`steps.code.exits.${at}`, at]));

test.each<[string, FlowChanges, string[]]>([
  [
    'a field that is unknown, a number out of range and a way to nowhere',
    { titel: 'x', 'steps.code.codeDigits': 99, 'steps.pause.then': 'coed', 'steps.question.extra': 1 },
    [
      'steps.question.extra [field-unknown]',
      'titel [field-unknown]',
      'steps.code.codeDigits [digits-out-of-range]',
      'steps.pause.then [leads-nowhere]',
    ],
  ],
  [
    'a step without its shape, and a fault in another',
    { 'steps.code.channel': 'fax', 'steps.pause.seconds': 0 },
    ['steps.code.channel [value-unknown]', 'steps.pause.seconds [wait-out-of-range]'],
  ],
  [
    'a step whose name and shape are wrong',
    { 'steps.Code!': { kind: 'ask' }, 'steps.pause.then': 'Code!' },
    ['steps.Code!.kind [step-kind-unknown]', 'steps.Code! [step-name]'],
  ],
  [
    'no start and no title that is one',
    { start: undefined, title: 7, 'steps.pause.seconds': 0 },
    ['title [wrong-type]', 'start [field-missing]', 'steps.pause.seconds [wait-out-of-range]'],
  ],
  [
    'a name that shadows, which is told alone',
    { 'steps.__proto__': {}, start: 'x' },
    ['steps.__proto__ [name-shadows]'],
  ],
])('%s are told at once', (_, changes, places) => {
  expect(placesOf(json(changedFlow(goodFlow, changes))).toSorted()).toEqual(places.toSorted());
});

test('what has more than 100 faults of shape is looked into no further', () => {
  const places = placesOf(json(changedFlow(goodFlow, { ...manyFields, 'steps.pause.seconds': 0 })));
  expect(places).toHaveLength(100);
  expect(places).not.toContain('steps.pause.seconds [wait-out-of-range]');
});

const fieldsOf = (at: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value).map((key) => `${at}${key}`) : [];

test.each(['', 'and.a.half', 7, null, [], {}].map((value) => [value]))(
  'what has not its shape is the only fault of a flow that is good elsewhere: %j in the place of each field',
  (value) => {
    for (const flow of [...flows, goodFlow]) {
      const steps = Object.entries(flow.steps).flatMap(([name, step]) => fieldsOf(`steps.${name}.`, step));
      for (const path of [...fieldsOf('', flow), ...fieldsOf('steps.', flow.steps), ...steps]) {
        const changed = json(changedFlow(flow, { [path]: value }));
        if ('flow' in readFlow(changed)) continue;
        const within = path.startsWith('steps.') ? path.split('.').slice(0, 2).join('.') : path;
        for (const place of placesOf(changed)) expect(place.startsWith(within)).toBe(true);
      }
    }
  },
);

test('whatever is sent is judged, with no fault of its shape left out', () => {
  const odd = anything({ withNullPrototype: true, maxDepth: 4 });
  assert(
    property(odd, odd, (value, step) => {
      for (const sent of [
        value,
        { ...goodFlow, steps: value },
        { ...goodFlow, steps: { ...goodFlow.steps, odd: step } },
      ]) {
        const [read, judged] = [readFlow(sent), judgeFlow(sent)];
        if ('faults' in read)
          expect('faults' in judged && judged.faults).toEqual(expect.arrayContaining([...read.faults]));
      }
    }),
  );
});
