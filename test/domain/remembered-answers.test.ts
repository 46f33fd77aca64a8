import { limits } from '../../domain/limits';
import { rememberAnswer } from '../../domain/remembered-answers';
import type { RememberedAnswer } from '../../domain/state';
import { addMs } from '../support/build';

const noon = '2026-03-01T12:00:00.000Z';
const buildAnswer = (updateId: string, more: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
  updateId,
  at: noon,
  answer: 'a',
  ...more,
});
const ids = (answers: readonly RememberedAnswer[]) => answers.map(({ updateId }) => updateId);

function rememberedOf(answers: readonly RememberedAnswer[]) {
  return answers.reduce<readonly RememberedAnswer[]>(rememberAnswer, []);
}

test('results are kept for a day, up to a limit', () => {
  const many = Array.from({ length: limits.rememberedAnswers + 1 }, (_, at) => buildAnswer(String(at)));
  expect(ids(rememberedOf(many))).toEqual(ids(many.slice(1)));
  expect(ids(rememberAnswer(many, buildAnswer('late', { at: addMs(noon, limits.rememberedForMs) })))).toEqual(['late']);
});

test('analyses do not displace the result of a send', () => {
  const looks = Array.from({ length: 100 }, (_, at) => buildAnswer(`look-${at}`, { analysis: true }));
  expect(ids(rememberedOf([buildAnswer('send'), ...looks]))).toEqual([
    'send',
    ...ids(looks.slice(-limits.rememberedAnalyses)),
  ]);
});

test('long results are kept as far as they fit the state, and the last one always', () => {
  const third = 'x'.repeat(limits.rememberedCharacters / 3 - 2);
  const long = ['a', 'b', 'c', 'd'].map((id) => buildAnswer(id, { answer: third }));
  expect(ids(rememberedOf(long))).toEqual(['b', 'c', 'd']);
  expect(ids(rememberedOf([...long, buildAnswer('short')]))).toEqual(['c', 'd', 'short']);
  expect(
    ids(rememberedOf([...long, buildAnswer('huge', { answer: 'x'.repeat(limits.rememberedCharacters) })])),
  ).toEqual(['huge']);
});
