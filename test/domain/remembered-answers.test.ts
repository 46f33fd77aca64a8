import { limits } from '../../domain/limits';
import { rememberAnswer } from '../../domain/remembered-answers';
import type { RememberedAnswer } from '../../domain/state';
import { addMs } from '../support/build';

const noon = '2026-03-01T12:00:00.000Z';
const buildAnswer = (updateId: string, changes: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
  updateId,
  at: noon,
  answer: 'a',
  ...changes,
});
const idsOf = (answers: readonly RememberedAnswer[]) => answers.map(({ updateId }) => updateId);

function rememberAll(answers: readonly RememberedAnswer[]) {
  return answers.reduce<readonly RememberedAnswer[]>(rememberAnswer, []);
}

test('answers are remembered for a day, up to a limit', () => {
  const answers = Array.from({ length: limits.rememberedAnswers + 1 }, (_, index) => buildAnswer(String(index)));
  expect(idsOf(rememberAll(answers))).toEqual(idsOf(answers.slice(1)));
  expect(idsOf(rememberAnswer(answers, buildAnswer('late', { at: addMs(noon, limits.rememberedForMs) })))).toEqual([
    'late',
  ]);
});

test('answers of analyses do not displace the answer of a send', () => {
  const analyses = Array.from({ length: 100 }, (_, index) => buildAnswer(`look-${index}`, { analysis: true }));
  expect(idsOf(rememberAll([buildAnswer('send'), ...analyses]))).toEqual([
    'send',
    ...idsOf(analyses.slice(-limits.rememberedAnalyses)),
  ]);
});

test('long answers are remembered while they fit the state, and the newest one always stays', () => {
  const longText = 'x'.repeat(limits.rememberedCharacters / 3 - 2);
  const longAnswers = ['a', 'b', 'c', 'd'].map((id) => buildAnswer(id, { answer: longText }));
  expect(idsOf(rememberAll(longAnswers))).toEqual(['b', 'c', 'd']);
  expect(idsOf(rememberAll([...longAnswers, buildAnswer('short')]))).toEqual(['c', 'd', 'short']);
  expect(
    idsOf(rememberAll([...longAnswers, buildAnswer('huge', { answer: 'x'.repeat(limits.rememberedCharacters) })])),
  ).toEqual(['huge']);
});
