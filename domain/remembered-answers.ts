import { addMs } from './add-ms';
import { limits } from './limits';
import type { RememberedAnswer } from './state';

/**
 * Adds an answer and drops old ones: kept are the newest of one day, with a separate limit for analyses and a limit on the total
 * size. The last one is always kept, because its repeat may be on its way.
 */
export function rememberAnswer(
  answers: readonly RememberedAnswer[],
  answer: RememberedAnswer,
): readonly RememberedAnswer[] {
  const oldest = addMs(answer.at, -limits.rememberedForMs);
  const all = [...answers.filter(({ at }) => at > oldest), answer];
  const analyses = all.filter(({ analysis }) => analysis).slice(-limits.rememberedAnalyses);
  const commands = all.filter(({ analysis }) => !analysis).slice(-limits.rememberedAnswers);
  return newestWithin(all.filter((one) => analyses.includes(one) || commands.includes(one)));
}

function newestWithin(answers: readonly RememberedAnswer[]): readonly RememberedAnswer[] {
  const lengths = answers.map(({ answer }) => JSON.stringify(answer)?.length ?? 0);
  let left = limits.rememberedLength;
  const tooLong = lengths.findLastIndex((length) => (left -= length) < 0);
  return answers.slice(Math.min(tooLong + 1, answers.length - 1));
}
