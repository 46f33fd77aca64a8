import { addMs } from './add-ms';
import { limits } from './limits';
import type { RememberedAnswer } from './state';

/**
 * The answers that are remembered with one more: a day's newest, those of analyses counted apart, and no more of them than the
 * state can carry. The last one always, as its repeat may be on its way.
 */
export function rememberAnswer(
  answers: readonly RememberedAnswer[],
  answer: RememberedAnswer,
): readonly RememberedAnswer[] {
  const oldest = addMs(answer.at, -limits.rememberedForMs);
  const all = [...answers.filter(({ at }) => at > oldest), answer];
  const analyses = all.filter(({ analysis }) => analysis).slice(-limits.rememberedAnalyses);
  const acts = all.filter(({ analysis }) => !analysis).slice(-limits.rememberedAnswers);
  return newestWithin(all.filter((one) => analyses.includes(one) || acts.includes(one)));
}

function newestWithin(answers: readonly RememberedAnswer[]): readonly RememberedAnswer[] {
  const lengths = answers.map(({ answer }) => JSON.stringify(answer)?.length ?? 0);
  let left = limits.rememberedLength;
  const tooLong = lengths.findLastIndex((length) => (left -= length) < 0);
  return answers.slice(Math.min(tooLong + 1, answers.length - 1));
}
