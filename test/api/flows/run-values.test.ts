import { hashOfValues, readRunValues } from '../../../api/flows/runs/run-values';
import { Problem } from '../../../api/http/problem';
import type { FlowValues } from '../../../domain/flows/flow-values';

const labels = (text: string) => ({ 'pt-BR': text, en: text, es: text });
const values: FlowValues = {
  amount: { type: 'amount', label: labels('Amount') },
  payee: { type: 'text', maxCharacters: 20, label: labels('Payee') },
};
const given = { amount: '1234.5 BRL', payee: "Café & Cia. d'Or" };

function errorsOf(changes: Record<string, string | undefined>): unknown {
  const entries = Object.entries({ ...given, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  try {
    return readRunValues(values, Object.fromEntries(entries), ['acme.com'])?.texts.en;
  } catch (error) {
    return error instanceof Problem ? error.extras.errors : error;
  }
}

test('amounts are written as in the language of the person, with ordinary spaces', () => {
  const texts = readRunValues(values, given, [])?.texts;
  expect([texts?.['pt-BR']['amount'], texts?.en['amount'], texts?.es['amount']]).toEqual([
    'R$ 1.234,50',
    'R$1,234.50',
    '1234,50 BRL',
  ]);
  expect(texts?.en['payee']).toBe(given.payee);
  expect(readRunValues(undefined, undefined, [])).toBeUndefined();
});

test.each([
  ['a missing value', { payee: undefined }, 'payee', 'is required'],
  ['a value that the flow does not have', { other: 'x' }, 'other', 'is not a value of the flow'],
  ['the name of a field of every object', { constructor: 'x' }, 'constructor', 'is not a value of the flow'],
  [
    'an amount without a currency',
    { amount: '12.50' },
    'amount',
    'must be an amount with its currency, such as 12.50 BRL',
  ],
  ['an unknown currency', { amount: '12.50 ABC' }, 'amount', 'must be an amount with its currency, such as 12.50 BRL'],
  ['a negative amount', { amount: '-1 BRL' }, 'amount', 'must be an amount with its currency, such as 12.50 BRL'],
  ['a text that is too long', { payee: 'x'.repeat(21) }, 'payee', 'must have at most 20 characters'],
  [
    'a line break',
    { payee: 'a\nb' },
    'payee',
    'must be one line of letters, digits and punctuation, without spaces at its ends',
  ],
  [
    'a direction mark',
    { payee: 'a\u202eb' },
    'payee',
    'must be one line of letters, digits and punctuation, without spaces at its ends',
  ],
  [
    'a placeholder',
    { payee: '{{code}}' },
    'payee',
    'must be one line of letters, digits and punctuation, without spaces at its ends',
  ],
  [
    'a tag',
    { payee: '<b>x</b>' },
    'payee',
    'must be one line of letters, digits and punctuation, without spaces at its ends',
  ],
  ['a link', { payee: 'pay at evil.com' }, 'payee', 'must not have a link'],
])('%s is rejected', (_, changes, name, issue) => {
  expect(errorsOf(changes)).toEqual({ [`values.${name}`]: [issue] });
});

test('a link to an allowed domain is allowed', () => {
  expect(errorsOf({ payee: 'acme.com' })).toMatchObject({ payee: 'acme.com' });
});

test('every wrong value is reported', () => {
  expect(Object.keys(errorsOf({ amount: 'x', payee: '', other: 'y' }) as object)).toEqual([
    'values.amount',
    'values.payee',
    'values.other',
  ]);
});

test('the order of the values does not matter, and each value does', () => {
  expect(hashOfValues({ payee: 'b', amount: 'a' })).toBe(hashOfValues({ amount: 'a', payee: 'b' }));
  expect(hashOfValues({ amount: '12.50 BRL' })).not.toBe(hashOfValues({ amount: '12.51 BRL' }));
});
