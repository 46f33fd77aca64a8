import { unsafeCharacterIssue } from '../../domain/unsafe-characters';

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
