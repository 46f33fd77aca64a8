import { assert, integer, property, string } from 'fast-check';
import { readDuration, tellMoment } from '../../../dev/flow/duration';
import { readPersonLine } from '../../../dev/flow/person-line';
import { readPersonOption, readScenarios } from '../../../dev/flow/scenario';
import { ScenarioError } from '../../../dev/flow/scenario-error';
import type { FlowDefinition } from '../../../domain/flows/definition';

const read = (text: string) => readScenarios('sign-up.scenarios.yaml', text);
const complete = (person: string) => `- name: a\n  person:\n    - ${person}\n  expect: { outcome: Confirmed }\n`;

test.each([
  ['ignores sms', 'sms', { does: 'ignores' }, 5],
  ['after 2m presses 2 on whatsapp', 'whatsapp', { does: 'presses', option: 2 }, 120],
  ['replies "Sim, fui eu" by sms', 'sms', { does: 'replies', words: 'Sim, fui eu' }, 5],
  ['enters the code by email', 'email', { does: 'enters', right: true, times: 1 }, 5],
  ['enters a wrong code by sms', 'sms', { does: 'enters', right: false, times: 1 }, 5],
  ['enters a wrong code 5 times by sms', 'sms', { does: 'enters', right: false, times: 5 }, 5],
  ['  after 1 min 30 s   asks again by sms ', 'sms', { does: 'asksAgain' }, 90],
  ['provider refuses whatsapp', 'whatsapp', { does: 'refuses' }, 5],
  ['ignores the link', 'pictures', { does: 'ignores' }, 5],
  ['opens the link after 3m', 'pictures', { does: 'opens' }, 180],
  ['submits pictures', 'pictures', { does: 'submits' }, 5],
  ['is approved after 1h', 'pictures', { does: 'isDecided', status: 'Approved' }, 3_600],
  ['has the pictures erased', 'pictures', { does: 'hasPicturesErased' }, 5],
  ['the webhook refuses', 'webhook', { does: 'refuses' }, 5],
])('the line "%s" is read', (text, about, act, afterSeconds) => {
  expect(readPersonLine(text)).toEqual({ text: text.trim().replace(/\s+/g, ' '), about, act, afterSeconds });
});

test.each([
  'eats the sms',
  'replies "sim" by email',
  'enters the code on whatsapp',
  'enters a wrong code 0 times by sms',
  'presses on whatsapp',
  'after presses 1 on whatsapp',
  'after 2 presses 1 on whatsapp',
  'after 2m',
  'after 2m ignores sms after 3m',
  'ignores sms; ignores email',
  '',
])('the line "%s" is none', (text) => {
  expect(readPersonLine(text)).toBeUndefined();
});

test('no line, however odd, is more than refused', () => {
  assert(
    property(string({ maxLength: 200 }), (text) => {
      readPersonLine(text);
      readPersonLine(`after ${text} ignores sms`);
    }),
  );
});

test('a moment is told as it was meant', () => {
  assert(
    property(integer({ min: 0, max: 86_399 }), (seconds) => {
      expect(readDuration(tellMoment(seconds).slice(1))).toBe(seconds);
    }),
  );
  expect([0, 5, 125, 3_600, 93_784].map(tellMoment)).toEqual(['+0s', '+5s', '+2m05s', '+1h00m00s', '+1d02h03m']);
});

test('a scenario is read with its transaction and all that is expected', () => {
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
      person: [{ text: 'ignores sms', about: 'sms', act: { does: 'ignores' }, afterSeconds: 5 }],
      expect: { outcome: 'Expired', path: ['code', 'expired'], withinSeconds: 300, sends: 1 },
    },
  ]);
});

const twice = complete('ignores sms').repeat(2);

test.each([
  ['what is no YAML', '- name: [', /^sign-up\.scenarios\.yaml:1: /],
  ['a file that is no list', 'name: a', /yaml:1: the file is a list of scenarios$/],
  ['an empty file', '', /the file is a list of scenarios$/],
  ['an entry that is a text', '- ignores sms', /yaml:1: a scenario has name, person and expect$/],
  ['a missing name', '- person: [ignores sms]\n  expect: { outcome: A }', /yaml:1: a scenario needs a name$/],
  ['a missing person', '- name: a\n  expect: { outcome: A }', /yaml:1: a scenario needs person, a list$/],
  ['a missing expect', '- name: a\n  person: [ignores sms]', /yaml:1: a scenario needs expect, with an outcome$/],
  ['an unknown field', `${complete('ignores sms')}  who: me`, /yaml:5: "who" is no field here\. There are name, trans/],
  [
    'an unknown line',
    complete('eats the sms'),
    /yaml:3: "eats the sms" is no line of a person\.\nLines of a person:\n {2}ignores sms/,
  ],
  ['a line that is no text', complete('{ ignores: sms }'), /yaml:3: person is a list of texts$/],
  ['a name twice', twice, /yaml:5: two scenarios are named "a"$/],
  [
    'a phone without a plus',
    `${complete('ignores sms')}  transaction: { phone: "11987654321" }`,
    /yaml:5: phone is none, or/,
  ],
  [
    'a number as a phone',
    `${complete('ignores sms')}  transaction: { phone: 11987654321 }`,
    /yaml:5: phone is a text$/,
  ],
  [
    'a score of 101',
    `${complete('ignores sms')}  transaction: { score: 101 }`,
    /yaml:5: score is a number from 0 to 100$/,
  ],
  [
    'a rating of 6',
    `${complete('ignores sms')}  transaction: { ratings: { document-phone: 6 } }`,
    /yaml:5: a rating is a number from 0/,
  ],
  [
    'a pair that there is not',
    `${complete('ignores sms')}  transaction:\n    ratings:\n      document-phone: 3\n      document-fone: 1`,
    /yaml:8: there is no pair document-fone\. Did you mean document-phone\? Name one of the pairs: /,
  ],
  [
    'an insight that there is not',
    `${complete('ignores sms')}  transaction:\n    insights:\n      - XA001\n      - XX9999`,
    /yaml:8: there is no insight XX9999; docs\/scoring\.md has the codes/,
  ],
  [
    'a phone of another country',
    `${complete('ignores sms')}  transaction:\n    locale: en\n    phone: "+12025550123"`,
    /yaml:7: phone is a number of Brazil; give another as body: \{ phone: \{/,
  ],
  [
    'a phone that POST would refuse',
    `${complete('ignores sms')}  transaction: { phone: "+5511887654321" }`,
    /yaml:5: POST \/v1\/transaction would refuse it: phone\.number must have 8 digits/,
  ],
  [
    'a body that POST would refuse',
    `${complete('ignores sms')}  transaction:\n    body:\n      type: 2\n      document: 52998224725`,
    /yaml:8: POST \/v1\/transaction would refuse it: document must be/,
  ],
  [
    'half a message',
    '- name: a\n  person: [ignores sms]\n  expect:\n    outcome: A\n    sends: 0.5',
    /yaml:5: sends is a whole/,
  ],
])('%s is refused with its line', (_, text, words) => {
  expect(() => read(text)).toThrow(ScenarioError);
  expect(() => read(text)).toThrow(words);
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
  ['an outcome', '{ outcome: Lots }', /^sign-up\.scenarios\.yaml:4: there is no outcome Lots\. .*There are Lost\.$/],
  [
    'a step',
    '{ outcome: Lost, path: [coed, lost] }',
    /yaml:4: there is no step coed\. Did you mean code\? There are code, lost\.$/,
  ],
])('%s that the flow does not have is refused with its line', (_, expect_, words) => {
  const text = `- name: a\n  person: []\n  # what comes of it\n  expect: ${expect_}\n`;
  expect(() => readScenarios('sign-up.scenarios.yaml', text, flow)).toThrow(words);
  expect(read(text)).toHaveLength(1);
});

test('all that is refused is told at once, by line, and what may stand there once', () => {
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
  let told = '';
  try {
    readScenarios('s.yaml', text, flow);
  } catch (error) {
    told = (error as ScenarioError).message;
  }
  const [head = '', lines = ''] = told.split('\nLines of a person:');
  expect(head.split('\n').map((line) => line.slice(0, 48))).toEqual([
    's.yaml:2: a scenario needs expect, with an outco',
    's.yaml:4: "eats the sms" is no line of a person.',
    's.yaml:6: "sleeps" is no line of a person.',
    's.yaml:7: email is none, or such as "maria@examp',
    's.yaml:7: score is a number from 0 to 100',
    's.yaml:8: a scenario needs a name',
    's.yaml:9: sends is a number',
    's.yaml:9: there is no outcome Lots. Did you mean',
    's.yaml:9: there is no step coed. Did you mean co',
    's.yaml:9: there is no step lots. Did you mean lo',
    's.yaml:10: "who" is no field here. There are nam',
    's.yaml:11: two scenarios are named "a"',
    's.yaml:12: POST /v1/transaction would refuse it:',
    's.yaml:12: score is a number from 0 to 100',
    's.yaml:14: there is no outcome Lots. Did you mea',
    's.yaml:14: there is no step coed. Did you mean c',
    's.yaml:14: there is no step lots. Did you mean l',
  ]);
  expect(lines).toContain('\n  ignores sms');
  expect(lines).not.toContain('Lines of a person');
});

/** Each line stands for nine times what the line before it stands for. */
const bomb = Array.from({ length: 7 }, (_, at) => `k${at}: &k${at + 1} [${Array(9).fill(`*k${at}`).join(', ')}]`);

test.each([
  [
    'aliases that stand for too much',
    `${complete('ignores sms')}  transaction:\n    body:\n${['kk: &k0 [x, x, x]', ...bomb].map((line) => `      ${line}\n`).join('')}`,
    /yaml:7: its aliases stand for too much: write it out$/,
  ],
  [
    'an alias for a list',
    `- name: a\n  person: &p [ignores sms]\n  expect: { outcome: A }\n- name: b\n  person: *p\n  expect: { outcome: A }\n`,
    /yaml:5: write out what \*p stands for$/,
  ],
])('%s are refused', (_, text, words) => {
  expect(() => read(text)).toThrow(words);
});

test('what is refused of a file that is wrong all over is told as far as anybody reads', () => {
  const text = Array.from({ length: 80 }, (_, at) => `- name: s${at}\n  person: [sleeps]\n`).join('');
  expect(() => read(text)).toThrow(/^(?:s[^\n]*\n){50}… and 110 more\nLines of a person:/);
});

test('a person may have nothing to do', () => {
  expect(read('- name: a\n  person: []\n  expect: { outcome: A }')[0]?.person).toEqual([]);
});

test('a person of one line is read, and refused by name', () => {
  const { person } = readPersonOption('ignores sms; after 2m presses 2 on whatsapp;');
  expect(person.map(({ text }) => text)).toEqual(['ignores sms', 'after 2m presses 2 on whatsapp']);
  expect(() => readPersonOption('ignores sms; sleeps')).toThrow(/^--person: "sleeps" is no line of a person/);
  expect(() => readPersonOption(' ; ')).toThrow('--person: person has at least one line');
});
