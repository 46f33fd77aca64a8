import { array, assert, property, string } from 'fast-check';
import { closestMatch, quote, suggestNames, unsafeCharacterIssue } from '../../domain/text';

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

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

const unsafeCodePoints = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x61c,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe007f),
];

const nameOf = (codePoint: number) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

test.each(unsafeCodePoints.map((codePoint) => [nameOf(codePoint), codePoint] as const))(
  'the character %s is unsafe',
  (name, code) => {
    expect(unsafeCharacterIssue(`Maria${String.fromCodePoint(code)}Silva`)).toContain(`must not contain ${name}:`);
  },
);

test.each([
  ['high', 'a\ud800b', 'U+D800'],
  ['low', 'a\udc00', 'U+DC00'],
])('a %s surrogate alone is unsafe', (_, text, name) => {
  expect(unsafeCharacterIssue(text)).toContain(name);
});

test('a line feed is safe only in a text of several lines; other control characters are unsafe in every text', () => {
  expect(unsafeCharacterIssue('one\ntwo')).toContain('U+000A');
  expect(unsafeCharacterIssue('one\ntwo', { lineFeed: true })).toBeUndefined();
  for (const codePoint of unsafeCodePoints.filter((candidate) => candidate !== 0x0a))
    expect(unsafeCharacterIssue(`a${String.fromCodePoint(codePoint)}`, { lineFeed: true })).toContain(
      nameOf(codePoint),
    );
});

test.each([
  'José Antônio d’Ávila-Ñuñez',
  'Nguyễn Thị Minh Khai',
  'محمد بن عبد الله',
  'דוד בן־גוריון',
  '王小明',
  '김민준',
  'Мария Ивановна',
  'Ελένη Παπαδοπούλου',
  'สมชาย ใจดี',
  // Persian, Sinhala and Malayalam need invisible joiners in words.
  'علی\u200cرضا',
  'ශ්\u200dරී ලංකා',
  'അവന്\u200d',
  'Åsa O\u0308zdemir',
  'Family 👨\u200d👩\u200d👧 and ❤️',
])('the text %s is safe', (text) => {
  expect(unsafeCharacterIssue(text)).toBeUndefined();
});
