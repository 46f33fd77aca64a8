import { addMs } from './add-ms';
import { limits } from './limits';
import type { RememberedAnswer } from './state';

/**
 * Adds the answer of a command, for repeats with the same idempotency key, and drops old ones. Keeps the newest answers of one day,
 * within the limits on commands, analyses and total size. The new answer always stays, because its repeat may be on its way.
 */
export function rememberAnswer(
  answers: readonly RememberedAnswer[],
  answer: RememberedAnswer,
): readonly RememberedAnswer[] {
  const cutoff = addMs(answer.at, -limits.rememberedForMs);
  const recentAnswers = [...answers.filter(({ at }) => at > cutoff), answer];
  const analysisAnswers = recentAnswers.filter(({ analysis }) => analysis).slice(-limits.rememberedAnalyses);
  const commandAnswers = recentAnswers.filter(({ analysis }) => !analysis).slice(-limits.rememberedAnswers);
  return limitTotalSize(recentAnswers.filter((one) => analysisAnswers.includes(one) || commandAnswers.includes(one)));
}

function limitTotalSize(answers: readonly RememberedAnswer[]): readonly RememberedAnswer[] {
  const lengths = answers.map(({ answer }) => JSON.stringify(answer)?.length ?? 0);
  let charactersLeft = limits.rememberedCharacters;
  const lastDroppedIndex = lengths.findLastIndex((length) => (charactersLeft -= length) < 0);
  return answers.slice(Math.min(lastDroppedIndex + 1, answers.length - 1));
}
