import { assert, array, property, string } from 'fast-check';
import { closestMatch } from '../../domain/closest-match';
import { quote, suggestNames } from '../../domain/quote';

test.each([
  ['becuase', ['when', 'then', 'because'], 'because'],
  ['coed', ['question', 'code', 'tell'], 'code'],
  ['deny', ['question', 'code', 'tell', 'denied'], 'denied'],
  ['Valid', ['valid', 'Expired'], 'valid'],
  ['second', ['then', 'visits', 'seconds'], 'seconds'],
  ['done', ['code', 'tell'], undefined],
  ['x', ['a', 'b'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('%j among %j matches %j', (input, names, expected) => {
  expect(closestMatch(input, names)).toBe(expected);
});

test('the closest match is one of the candidates', () => {
  assert(
    property(string(), array(string()), (input, names) => {
      const match = closestMatch(input, names);
      expect(match === undefined || names.includes(match)).toBe(true);
      for (const name of names) expect(closestMatch(name, [name])).toBe(name);
    }),
  );
});

test('suggestNames writes the closest match first and then all names in their order, and cuts long names', () => {
  expect(suggestNames('Write one of', 'coed', ['tell', 'code'])).toBe(
    'Did you mean `code`? Write one of `tell`, `code`.',
  );
  expect(suggestNames('Write one of', '', ['a', 'b'], ', or remove it.')).toBe('Write one of `a`, `b`, or remove it.');
  const many = Array.from({ length: 41 }, (_, index) => `${index}`.repeat(100));
  expect(suggestNames('There are', many[0] ?? '', many)).toMatch(/^There are `0{60}…`, [^]* …\.$/);
});

test('a quoted text has a backtick only at its start and its end', () => {
  expect(quote('score < 40')).toBe('`score < 40`');
  expect(quote('a `b` c')).toBe("`a 'b' c`");
});
