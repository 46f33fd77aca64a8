import { assert, json, nat, property, string } from 'fast-check';
import { InvalidJson, parseJson } from '../../../api/http/body/read-json';
import { Problem } from '../../../api/http/problem';

/** The error as `line:column reason`, or the code of a problem. Undefined for accepted JSON. */
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
  ['a superfluous comma', '{\n  "a": 1,\n}', /^3:1 \S/],
  ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', '3:3 Comma expected.'],
  ['a missing comma, with Windows line breaks', '{\r\n  "a": 1\r\n  "b": 2\r\n}', '3:3 Comma expected.'],
  ['a name without quotes', '{ a: 1 }', /^1:3 \S/],
  ['single quotes', `{"a": 'b'}`, '1:7 Invalid symbol.'],
  ['a missing colon', '{ "a" 1 }', '1:7 Colon expected.'],
  ['a missing value', '{"a":}', '1:6 Value expected.'],
  ['a comment', '[ 1 // one\n]', '1:5 Invalid comment token.'],
  ['a missing closing bracket', '{"a": [1', '1:9 Close bracket expected.'],
  ['a string without its last quote', '{\n "a": "b\n}', '2:7 Unexpected end of string.'],
  ['an invalid escape', '["a\\q"]', '1:2 Invalid escape character.'],
  ['two values', '{}\n{}', '2:1 End of file expected.'],
  ['a number with a leading zero', '[01]', /^1:3 \S/],
  ['an empty text', '', '1:1 Value expected.'],
  ['a duplicate name', '{"a":1,\n"\\u0061":2}', '2:1 The field appears twice.'],
  ['nesting without end', '['.repeat(1_000_000), 'body_too_deep'],
])('%s is rejected, with the position of the error if there is one', (_, text, expectedError) => {
  expect(errorIn(text)).toEqual(
    typeof expectedError === 'string' ? expectedError : expect.stringMatching(expectedError),
  );
});

test('every text gets the same value as from JSON.parse, or is rejected with a position', () => {
  assert(
    property(json({ maxDepth: 6 }), nat(), string({ maxLength: 1 }), (original, offset, replacement) => {
      const index = offset % (original.length + 1);
      const text = original.slice(0, index) + replacement + original.slice(index + 1 - replacement.length);
      const error = errorIn(text);
      const [, line = '0', column = '0'] = /^(\d+):(\d+) /.exec(error ?? '') ?? [];
      if (error === undefined) expect(parseJson(text, Infinity)).toEqual(JSON.parse(text));
      else if (!error.endsWith('The field appears twice.')) expect(() => JSON.parse(text)).toThrow(SyntaxError);
      if (error !== undefined)
        expect(Number(column)).toBeLessThanOrEqual((text.split(/\r\n|\n|\r/)[Number(line) - 1] ?? '').length + 1);
    }),
    { numRuns: 1_000 },
  );
});
