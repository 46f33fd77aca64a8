import { assert, json, nat, property, string, tuple } from 'fast-check';
import { jsonFaultOf } from '../../../dev/flow/json-fault';

const told = (text: string): string => {
  const fault = jsonFaultOf(text);
  return fault ? `${fault.line}:${fault.column} ${fault.what}` : 'none';
};

test.each([
  ['a comma too many', '{\n  "a": 1,\n}', '3:1 expected a name in double quotes; there is }'],
  ['a comma too few', '{\n  "a": 1\n  "b": 2\n}', '3:3 expected , or }; there is "'],
  ['a comma too few in a list', '[1 2]', '1:4 expected , or ]; there is 2'],
  ['a name without quotes', '{ a: 1 }', '1:3 expected a name in double quotes, or }; there is a'],
  ['a name in single quotes', "{ 'a': 1 }", "1:3 expected a name in double quotes, or }; there is '"],
  ['no colon', '{ "a" 1 }', '1:7 expected :; there is 1'],
  ['no value', '{"a":}', '1:6 expected a text in double quotes, a number, true, false, null, { or [; there is }'],
  ['a comment', '[ // one', '1:3 expected a text in double quotes, a number, true, false, null, {, [ or ]; there is /'],
  ['a bracket that stays open', '{"a": [1', '1:9 expected , or ]; the file ends'],
  ['a bracket of another kind', '{"a": [1}', '1:9 expected , or ]; there is }'],
  ['a text that goes on', '{\n "a": "b\n}', '2:9 expected the " that ends the text; there is the character U+000A'],
  ['an escape that is none', '["a\\q"]', '1:4 expected an escape such as \\" or \\n; there is \\'],
  ['two values', '{}\n{}', '2:1 expected nothing more; there is {'],
  ['a number with a zero before', '[01]', '1:3 expected , or ]; there is 1'],
  [
    'a mark of the byte order',
    '\uFEFF{}',
    '1:1 expected a text in double quotes, a number, true, false, null, { or [; there is the character U+FEFF',
  ],
])('%s is told with its place', (_, text, words) => {
  expect(told(text)).toBe(words);
});

test('what JSON.parse reads has no fault, and all else has one', () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const same = (text: string) => expect([text, jsonFaultOf(text) === undefined]).toEqual([text, parses(text)]);
  assert(property(json(), same));
  assert(property(string({ unit: 'binary' }), same));
  // One character taken out or put in, anywhere.
  assert(
    property(tuple(json(), nat(), string({ maxLength: 2 })), ([text, at, more]) => {
      const place = at % (text.length + 1);
      same(text.slice(0, place) + more + text.slice(place + (more === '' ? 1 : 0)));
    }),
    { numRuns: 2_000 },
  );
  same('['.repeat(100_000));
});
