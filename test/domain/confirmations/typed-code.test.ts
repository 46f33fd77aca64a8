import { readTypedCode } from '../../../domain/confirmations/check-code';

test.each([
  ['spaces', ' 123 456\t'],
  ['spaces that do not break', '123\u00a0456\u202f'],
  ['a hyphen', '123-456'],
  ['hyphens that do not break', '12\u201134\u201156'],
  ['dashes and a minus sign', '1\u20132\u20143\u22124 5 6'],
  ['soft hyphens', '12\u00ad34\u00ad56'],
  ['invisible characters', '\ufeff12\u200b34\u200d\u206056'],
  ['direction marks', '\u200e\u202a123456\u202c\u2069'],
  ['full-width digits', '１２３４５６'],
  ['a line feed', '123456\n'],
])('a code with %s is the code without them', (_, text) => {
  expect(readTypedCode(text)).toBe('123456');
});

test.each(['000000', '0123456789'])('%s can be a code, with its leading zeros', (code) => {
  expect(readTypedCode(code)).toBe(code);
});

test.each([
  '',
  ' ',
  '-',
  '12345',
  '12345678901',
  '12345O',
  '123.456',
  '+123456',
  '12345a',
  '123456 is my code',
  '\u0000123456',
])('%j cannot be a code', (text) => {
  expect(readTypedCode(text)).toBeUndefined();
});
