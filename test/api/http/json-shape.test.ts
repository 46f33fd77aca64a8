import { assert, json, nat, property, string } from 'fast-check';
import { InvalidJson, parseJson } from '../../../api/http/body/json-shape';
import { Problem } from '../../../api/http/problem';

/** The error with its position; undefined for accepted JSON. */
function errorIn(text: string): string | undefined {
  try {
    parseJson(text, Infinity);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJson) return `${error.position.line}:${error.position.column} ${error.reason}`;
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

test.each([
  ['a comma too many', '{\n  "a": 1,\n}', /^3:1 \S/],
  ['a comma too few', '{\n  "a": 1\n  "b": 2\n}', '3:3 Comma expected.'],
  ['a missing comma, with Windows line breaks', '{\r\n  "a": 1\r\n  "b": 2\r\n}', '3:3 Comma expected.'],
  ['a name without quotes', '{ a: 1 }', /^1:3 \S/],
  ['single quotes', `{"a": 'b'}`, '1:7 Invalid symbol.'],
  ['a missing colon', '{ "a" 1 }', '1:7 Colon expected.'],
  ['a missing value', '{"a":}', '1:6 Value expected.'],
  ['a comment', '[ 1 // one\n]', '1:5 Invalid comment token.'],
  ['a bracket that stays open', '{"a": [1', '1:9 Close bracket expected.'],
  ['a text that goes on', '{\n "a": "b\n}', '2:7 Unexpected end of string.'],
  ['an invalid escape', '["a\\q"]', '1:2 Invalid escape character.'],
  ['two values', '{}\n{}', '2:1 End of file expected.'],
  ['a number with a zero before', '[01]', /^1:3 \S/],
  ['nothing', '', '1:1 Value expected.'],
  ['a duplicate name', '{"a":1,\n"\\u0061":2}', '2:1 The field appears twice.'],
  ['nesting without end', '['.repeat(1_000_000), 'body_too_deep'],
])('%s is rejected with its position', (_, text, wrong) => {
  expect(errorIn(text)).toEqual(typeof wrong === 'string' ? wrong : expect.stringMatching(wrong));
});

test('every text is parsed like JSON.parse, or rejected with a position', () => {
  assert(
    property(json({ maxDepth: 6 }), nat(), string({ maxLength: 1 }), (whole, at, put) => {
      const cut = at % (whole.length + 1);
      const text = whole.slice(0, cut) + put + whole.slice(cut + 1 - put.length);
      const wrong = errorIn(text);
      const [, line = '0', column = '0'] = /^(\d+):(\d+) /.exec(wrong ?? '') ?? [];
      if (wrong === undefined) expect(parseJson(text, Infinity)).toEqual(JSON.parse(text));
      else if (!wrong.endsWith('The field appears twice.')) expect(() => JSON.parse(text)).toThrow(SyntaxError);
      if (wrong !== undefined)
        expect(Number(column)).toBeLessThanOrEqual((text.split(/\r\n|\n|\r/)[Number(line) - 1] ?? '').length + 1);
    }),
    { numRuns: 1_000 },
  );
});
