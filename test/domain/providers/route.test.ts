import { type Abilities, afterUnknown, canSend, inOrder } from '../../../domain/providers/route';

const provider = (name: string, order: number, weight: number) => ({ name, order, weight, provider: {} });
const providers = [provider('last', 2, 1), provider('a', 1, 3), provider('b', 1, 1)];
const namesOf = (chance: number, open: string[] = []) =>
  inOrder(providers, chance, ({ name }) => (open.includes(name) ? 'failing' : undefined)).map(({ name }) => name);

test.each([
  [0, ['a', 'b', 'last']],
  [0.74, ['a', 'b', 'last']],
  [0.75, ['b', 'a', 'last']],
  [0.999, ['b', 'a', 'last']],
])('at %d, providers with the same order get messages by their weight', (chance, names) => {
  expect(namesOf(chance)).toEqual(names);
});

test('a provider with an open breaker comes last, also one that is first in its group', () => {
  expect(namesOf(0, ['a'])).toEqual(['b', 'last', 'a']);
  expect(namesOf(0, ['a', 'b'])).toEqual(['last', 'a', 'b']);
  expect(namesOf(0, ['a', 'b', 'last'])).toEqual(['a', 'b', 'last']);
});

test('a provider that may get no message now comes after one that fails', () => {
  const hindrances = { a: 'full', last: 'failing' } as const;
  const ordered = inOrder(providers, 0, ({ name }) => hindrances[name as 'a']);
  expect(ordered.map(({ name }) => name)).toEqual(['b', 'last', 'a']);
});

test.each([
  ['to any country, without a list', {}, '55', false, true],
  ['to a listed country', { countries: ['55', '351'] }, '351', false, true],
  ['to no other country', { countries: ['55'] }, '351', false, false],
  // Such a message fails for another reason.
  ['to a number that cannot exist', { countries: ['55'] }, '', false, true],
  ['no question, without replies', { provider: { withoutReplies: true } }, '55', true, false],
  ['a code, without replies', { provider: { withoutReplies: true } }, '55', false, true],
] as const)('a provider sends %s', (_, changes, country, isQuestion, expected) => {
  expect(canSend({ ...provider('a', 1, 1), ...changes }, country, isQuestion)).toBe(expected);
});

type Named = Abilities & { name: string };
const asked: Named = { name: 'asked', find: () => [] };
const repeating: Named = { name: 'repeating', recognizesRepeats: true };
const mute: Named = { name: 'mute' };

test.each([
  ['that can be asked has answered, so the others come first', asked, 'once', ['repeating', 'mute', 'asked']],
  ['that recognizes repeats gets the message again', repeating, 'once', ['repeating']],
  [
    'that recognizes repeats comes last, if the message must be prompt',
    repeating,
    'prompt',
    ['asked', 'mute', 'repeating'],
  ],
  ['that cannot be asked lets the message wait', mute, 'once', []],
  ['that cannot be asked is left, if the message must be prompt', mute, 'prompt', ['asked', 'repeating']],
  ['that is no longer in the settings lets the message wait', undefined, 'once', []],
  [
    'that is no longer in the settings is left, if the message must be prompt',
    undefined,
    'prompt',
    ['asked', 'repeating', 'mute'],
  ],
] as const)('a provider %s', (_, holder, whenUnknown, names) => {
  const found = afterUnknown([asked, repeating, mute], holder, whenUnknown);
  expect(found.map(({ name }) => name)).toEqual(names);
});
