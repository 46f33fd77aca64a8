import { inOrder } from '../../../domain/providers/order';

const provider = (name: string, order: number, weight: number) => ({ name, order, weight });
const providers = [provider('last', 2, 1), provider('a', 1, 3), provider('b', 1, 1)];
const namesOf = (chance: number, open: string[] = []) =>
  inOrder(providers, chance, ({ name }) => open.includes(name)).map(({ name }) => name);

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
