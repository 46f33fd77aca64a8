import { assert, json, nat, property, string } from 'fast-check';
import { jsonFaultOf } from '../../platform/json-fault';

test.each([
  ['a comma too many', '{\n  "a": 1,\n}'],
  ['a comma too few', '{\n  "a": 1\n  "b": 2\n}'],
  ['a comma too few, lines of Windows', '{\r\n  "a": 1\r\n  "b": 2\r\n}'],
  ['a name without quotes', '{ a: 1 }'],
  ['single quotes', `{"a": 'b'}`],
  ['no colon', '{ "a" 1 }'],
  ['no value', '{"a":}'],
  ['a comment', '[ 1 // one\n]'],
  ['a bracket that stays open', '{"a": [1'],
  ['a bracket of another kind', '{"a": [1}'],
  ['a text that goes on', '{\n "a": "b\n}'],
  ['an escape that is none', '["a\\q"]'],
  ['characters beyond 16 bits count once', '{"😀": 1; }'],
  ['two values', '{}\n{}'],
  ['a number with a zero before', '[01]'],
  ['a word of another language', '[True]'],
  ['nothing', ''],
])('%s is told by its place', (_, text) => {
  expect(jsonFaultOf(text)).toMatchSnapshot();
});

test('wherever a character is put in or left out, the place is in the text and nothing of the text is told', () => {
  assert(
    property(json({ maxDepth: 6 }), nat(), string({ maxLength: 1 }), (whole, at, put) => {
      const cut = at % (whole.length + 1);
      const text = whole.slice(0, cut) + put + whole.slice(cut + 1 - put.length);
      const fault = jsonFaultOf(text);
      if (!fault) return;
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
      const line = text.split(/\r\n|\n|\r/)[fault.line - 1];
      expect(fault.column).toBeLessThanOrEqual(Array.from(line ?? '').length + 1);
    }),
    { numRuns: 1_000 },
  );
});

test('a text nested without end has no place, and breaks nothing', () => {
  expect(() => jsonFaultOf('['.repeat(1_000_000))).not.toThrow();
});
