import { assert, json, nat, property, string } from 'fast-check';
import { malformedJson } from '../../api/body/malformed-json';
import { ApiWorld, problemShape } from './api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const stops = (line: number, column: number) => `It stops being JSON at line ${line}, column ${column}.`;
const ends = (line: number, column: number) => `The body ends at line ${line}, column ${column}, before it is whole.`;

const broken: [name: string, raw: string, told: string][] = [
  ['a comma too many', '{\n  "a": 1,\n}', stops(3, 1)],
  ['a comma too few', '{\n  "a": 1\n  "b": 2\n}', stops(3, 3)],
  ['a comma too few, lines of Windows', '{\r\n  "a": 1\r\n  "b": 2\r\n}', stops(3, 3)],
  ['a name without quotes', '{ secret: 1 }', stops(1, 3)],
  ['single quotes', `{"a": 'secret'}`, stops(1, 7)],
  ['a string without its end', '{\n "a": "secret,\n "b": 2}', stops(2, 15)],
  ['a string that is the end', '{"a": "secret', ends(1, 14)],
  ['an escape that there is not', String.raw`{"a": "se\cret"}`, stops(1, 10)],
  ['an escape that there is not, in a name', String.raw`{"se\cret": 1}`, stops(1, 5)],
  ['characters beyond 16 bits count once', '{"😀": 1; }', stops(1, 8)],
  ['a colon too few', '{"a" 1}', stops(1, 6)],
  ['a zero before a number', '{"a": 01}', stops(1, 8)],
  ['a word of another language', '{"a": [True]}', stops(1, 8)],
  ['an end too few', '{"a": [1, 2', ends(1, 12)],
  ['an end of the other kind', '{"a": [1, 2}}', stops(1, 12)],
  ['two values', '{}\n{}', stops(2, 1)],
  ['no value', ' \n ', ends(2, 2)],
  ['a comment', '{} // secret', stops(1, 4)],
];

test.each(broken)('%s is told by its place, and not by what stands there', async (_, raw, told) => {
  const answer = await world.post('/v1/transaction', { raw });
  const detail = `${told} Send one JSON object in UTF-8.`;
  expect(answer.body).toEqual({ ...problemShape('malformed_json', 400), detail });
  expect(JSON.stringify(answer.body)).not.toMatch(/secret/);
});

test('a body that is not in UTF-8 is told so', async () => {
  const answer = await world.post('/v1/transaction', { raw: new Uint8Array([0x7b, 0xff, 0x7d]) });
  expect(answer.body).toMatchObject({ detail: expect.stringMatching(/^It is not in UTF-8/) });
});

test('what is JSON has no such place, and what is none has one, wherever a character is put in or left out', () => {
  const place = /at line \d+, column \d+/;
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  assert(
    property(json({ maxDepth: 6 }), nat(), string({ maxLength: 1 }), (whole, at, put) => {
      const cut = at % (whole.length + 1);
      for (const text of [whole, whole.slice(0, cut) + put + whole.slice(cut + 1 - put.length)])
        expect([text, place.test(malformedJson(text).extras.detail ?? '')]).toEqual([text, !isJson(text)]);
    }),
  );
});
