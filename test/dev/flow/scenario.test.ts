import { assert, integer, property, string } from 'fast-check';
import { FileError } from '../../../dev/flow/load-flow';
import { formatMoment } from '../../../dev/flow/print';
import { readDuration, readScriptedStep } from '../../../dev/flow/scripted-step';
import { readPersonOption, readScenarios } from '../../../dev/flow/scenario';
import type { FlowDefinition } from '../../../domain/flows/definition';

const read = (text: string) => readScenarios('sign-up.scenarios.yaml', text);
const scenarioYaml = (person: string) => `- name: a\n  person:\n    - ${person}\n  expect: { outcome: Confirmed }\n`;

test.each([
  ['ignores sms', 'sms', { does: 'ignores' }, 5],
  ['after 2m presses 2 on whatsapp', 'whatsapp', { does: 'presses', option: 2 }, 120],
  ['replies "Sim, fui eu" by sms', 'sms', { does: 'replies', text: 'Sim, fui eu' }, 5],
  ['enters the code by email', 'email', { does: 'enters', isCorrect: true, times: 1 }, 5],
  ['enters the code on whatsapp', 'whatsapp', { does: 'enters', isCorrect: true, times: 1 }, 5],
  ['enters a wrong code by sms', 'sms', { does: 'enters', isCorrect: false, times: 1 }, 5],
  ['enters a wrong code 5 times by sms', 'sms', { does: 'enters', isCorrect: false, times: 5 }, 5],
  ['  after 1 min 30 s   asks again by sms ', 'sms', { does: 'asksAgain' }, 90],
  ['provider refuses whatsapp', 'whatsapp', { does: 'refuses' }, 5],
  ['ignores the link', 'pictures', { does: 'ignores' }, 5],
  ['opens the link after 3m', 'pictures', { does: 'opens' }, 180],
  ['submits pictures', 'pictures', { does: 'submits' }, 5],
  ['is approved after 1h', 'pictures', { does: 'isDecided', status: 'Approved' }, 3_600],
  ['asks to erase the pictures', 'pictures', { does: 'asksToErasePictures' }, 5],
  ['the webhook refuses', 'webhook', { does: 'refuses' }, 5],
])('the scripted step "%s" is read', (text, topic, action, afterSeconds) => {
  expect(readScriptedStep(text)).toEqual({ text: text.trim().replace(/\s+/g, ' '), topic, action, afterSeconds });
});

test.each([
  'eats the sms',
  'replies "sim" by email',
  'enters the code by fax',
  'enters a wrong code 0 times by sms',
  'presses on whatsapp',
  'after presses 1 on whatsapp',
  'after 2 presses 1 on whatsapp',
  'after 2m',
  'after 2m ignores sms after 3m',
  'ignores sms; ignores email',
  '',
])('the scripted step "%s" is rejected', (text) => {
  expect(readScriptedStep(text)).toBeUndefined();
});

test('reading a scripted step never throws, for any text', () => {
  assert(
    property(string({ maxLength: 200 }), (text) => {
      readScriptedStep(text);
      readScriptedStep(`after ${text} ignores sms`);
    }),
  );
});

test('a duration can be read in the format in which the output prints it', () => {
  assert(
    property(integer({ min: 0, max: 86_399 }), (seconds) => {
      expect(readDuration(formatMoment(seconds).slice(1))).toBe(seconds);
    }),
  );
  expect([0, 5, 125, 3_600, 93_784].map(formatMoment)).toEqual(['+0s', '+5s', '+2m05s', '+1h00m00s', '+1d02h03m']);
});

test('a scenario is read with its transaction and all expectations', () => {
  const text = `
- name: all of it
  transaction:
    phone: "+5511987654321"
    email: none
    score: 61.5
    insights: [EM001]
    ratings: { document-phone: 3 }
    locale: es
    body: { type: 2 }
  person:
    - ignores sms
  expect: { outcome: Expired, path: [code, expired], withinSeconds: 300, sends: 1 }
`;
  expect(read(text)).toEqual([
    {
      name: 'all of it',
      transaction: {
        phone: '+5511987654321',
        email: null,
        score: 61.5,
        insights: ['EM001'],
        ratings: { 'document-phone': 3 },
        locale: 'es',
        body: { type: 2 },
      },
      person: [{ text: 'ignores sms', topic: 'sms', action: { does: 'ignores' }, afterSeconds: 5 }],
      expect: { outcome: 'Expired', path: ['code', 'expired'], withinSeconds: 300, sends: 1 },
    },
  ]);
});

const duplicateScenarios = scenarioYaml('ignores sms').repeat(2);

const withTransaction = (yaml: string) => `${scenarioYaml('ignores sms')}  transaction: ${yaml}\n`;

test.each([
  ['invalid YAML', '- name: [', /^sign-up\.scenarios\.yaml:1:10: Flow sequence/],
  ['a field twice', `${scenarioYaml('ignores sms')}  name: b`, /yaml:5:3: Map keys must be unique$/],
  ['a file that is not a list', 'name: a', /yaml:1:1: Invalid input: expected array/],
  ['an empty file', '', /yaml:1:1: Invalid input: expected array/],
  ['an entry that is text', '- ignores sms', /yaml:1:3: Invalid input: expected object/],
  ['a missing name', '- person: [ignores sms]\n  expect: { outcome: A }', /yaml:1:3: name: Invalid input/],
  ['a missing person', '- name: a\n  expect: { outcome: A }', /yaml:1:3: person: Invalid input: expected array/],
  ['a missing expect', '- name: a\n  person: [ignores sms]', /yaml:1:3: expect: Invalid input: expected object/],
  [
    'an unknown field',
    `${scenarioYaml('ignores sms')}  who: me`,
    /yaml:5:8: who: There is no field `who`\. Use one of `name`, `trans/,
  ],
  [
    'an unknown scripted step',
    scenarioYaml('eats the sms'),
    /yaml:3:7: person\.0: `eats the sms` is not a scripted step\.\nScripted steps:\n {2}ignores sms/,
  ],
  [
    'a scripted step that is not text',
    scenarioYaml('{ ignores: sms }'),
    /yaml:3:7: person\.0: Invalid input: expected string/,
  ],
  ['a name twice', duplicateScenarios, /yaml:5:9: name: Two scenarios have the name `a`\.$/],
  [
    'a phone without a plus',
    withTransaction('{ phone: "11987654321" }'),
    /yaml:5:25: transaction\.phone: Write `none`, or/,
  ],
  [
    'a number as a phone',
    withTransaction('{ phone: 11987654321 }'),
    /yaml:5:25: transaction\.phone: Write `none`, or a phone in quotes/,
  ],
  ['a score of 101', withTransaction('{ score: 101 }'), /yaml:5:25: transaction\.score: Too big: .*100$/],
  ['a rating of 6', withTransaction('{ ratings: { document-phone: 6 } }'), /yaml:5:45: .*document-phone: Too big/],
  [
    'an unknown pair',
    withTransaction('\n    ratings:\n      document-phone: 3\n      document-fone: 1'),
    /yaml:8:22: .*There is no field `document-fone`\. Did you mean `document-phone`\? Use one of /,
  ],
  [
    'an unknown insight',
    withTransaction('\n    insights:\n      - XA001\n      - XX9999'),
    /yaml:8:9: .*There is no insight `XX9999`\. Use a code of docs\/scoring\.md/,
  ],
  [
    'a phone of another country',
    withTransaction('\n    locale: en\n    phone: "+12025550123"'),
    /yaml:7:12: .*Use a Brazilian phone here\. Write any other phone as `body: \{ phone: \{/,
  ],
  [
    'a phone that POST rejects',
    withTransaction('{ phone: "+5511887654321" }'),
    /yaml:5:25: .*POST \/v1\/transaction rejects `phone\.number`: it must have 8 digits/,
  ],
  [
    'a body that POST rejects',
    withTransaction('\n    body:\n      type: 2\n      document: 52998224725'),
    /yaml:8:17: .*POST \/v1\/transaction rejects `document`: it must be/,
  ],
  [
    'an expected number of messages that is not whole',
    '- name: a\n  person: [ignores sms]\n  expect:\n    outcome: A\n    sends: 0.5',
    /yaml:5:12: expect\.sends: Invalid input: expected int/,
  ],
])('the error for %s has the line and the column', (_, text, expected) => {
  expect(() => read(text)).toThrow(FileError);
  expect(() => read(text)).toThrow(expected);
});

const flow: FlowDefinition = {
  name: 'sign-up',
  version: 1,
  start: 'code',
  steps: {
    code: { kind: 'wait', seconds: 60, then: 'lost' },
    lost: { kind: 'outcome', outcome: 'Lost' },
  },
};

test.each([
  [
    'an outcome',
    '{ outcome: Lots }',
    /^sign-up\.scenarios\.yaml:4:22: expect\.outcome: There is no outcome `Lots`\. .*Use one of `Lost`\.$/,
  ],
  [
    'a step',
    '{ outcome: Lost, path: [coed, lost] }',
    /yaml:4:35: expect\.path\.0: There is no step `coed`\. Did you mean `code`\? Use one of `code`, `lost`\.$/,
  ],
])('%s that the flow does not have is reported with its position', (_, expectYaml, expected) => {
  const text = `- name: a\n  person: []\n  # what comes of it\n  expect: ${expectYaml}\n`;
  expect(() => readScenarios('sign-up.scenarios.yaml', text, flow)).toThrow(expected);
  expect(read(text)).toHaveLength(1);
});

test('all issues of a file are reported at once, in the order of lines, and the scripted steps are listed once', () => {
  const text = `
- name: a
  person:
    - eats the sms
    - ignores sms
    - sleeps
  transaction: { score: 101, phone: none, email: nobody }
- person: [ignores sms]
  expect: { outcome: Lots, path: [coed, lost, lots], sends: many }
  who: me
- name: a
  transaction: { score: 101, body: { foo: 1 } }
  person: []
  expect: { outcome: Lots, path: [coed, lots] }
`;
  let message = '';
  try {
    readScenarios('s.yaml', text, flow);
  } catch (error) {
    message = (error as FileError).message;
  }
  const [issueLines = '', steps = ''] = message.split('\nScripted steps:');
  expect(issueLines.split('\n').map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
    's.yaml:2:3 expect',
    's.yaml:4:7 person.0',
    's.yaml:6:7 person.2',
    's.yaml:7:25 transaction.score',
    's.yaml:7:50 transaction.email',
    's.yaml:8:3 name',
    's.yaml:9:22 expect.outcome',
    's.yaml:9:35 expect.path.0',
    's.yaml:9:47 expect.path.2',
    's.yaml:9:61 expect.sends',
    's.yaml:10:8 who',
    's.yaml:11:9 name',
    's.yaml:12:25 transaction.score',
    's.yaml:12:43 transaction.body.foo',
    's.yaml:14:22 expect.outcome',
    's.yaml:14:35 expect.path.0',
    's.yaml:14:41 expect.path.1',
  ]);
  expect(steps).toContain('\n  ignores sms');
  expect(steps).not.toContain('Scripted steps');
});

/** Each line expands to nine copies of the line before it. */
const expandingAliases = Array.from(
  { length: 7 },
  (_, index) => `k${index}: &k${index + 1} [${Array(9).fill(`*k${index}`).join(', ')}]`,
);

test('YAML aliases that expand too much are rejected', () => {
  const body = ['kk: &k0 [x, x, x]', ...expandingAliases].map((line) => `      ${line}\n`).join('');
  expect(() => read(withTransaction(`\n    body:\n${body}`))).toThrow(/yaml:1:1: Excessive alias count/);
});

test('a YAML alias is replaced with its value', () => {
  const text =
    '- name: a\n  person: &p [ignores sms]\n  expect: { outcome: A }\n- name: b\n  person: *p\n  expect: { outcome: A }\n';
  expect(read(text).map(({ person }) => person.length)).toEqual([1, 1]);
});

test('of a file with more than 50 issues, only the first 50 are reported', () => {
  const text = Array.from({ length: 80 }, (_, index) => `- name: s${index}\n  person: [sleeps]\n`).join('');
  expect(() => read(text)).toThrow(/^(?:s[^\n]*\n){50}… and 110 more\nScripted steps:/);
});

test('a person without scripted steps is accepted', () => {
  expect(read('- name: a\n  person: []\n  expect: { outcome: A }')[0]?.person).toEqual([]);
});

test('scripted steps in one line are read, and unknown scripted steps are rejected', () => {
  const { person } = readPersonOption('ignores sms; after 2m presses 2 on whatsapp;');
  expect(person.map(({ text }) => text)).toEqual(['ignores sms', 'after 2m presses 2 on whatsapp']);
  expect(() => readPersonOption('ignores sms; sleeps')).toThrow(/^--person: `sleeps` is not a scripted step/);
  expect(() => readPersonOption(' ; ')).toThrow('--person: Write at least one scripted step.');
});
