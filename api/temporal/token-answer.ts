import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from './transactions';

/** The body of the response to a validation. The header X-Attempts-Remaining has the rest of the answer. */
export const tokenAnswerBody = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The answer to a code for a token that takes no more codes: the status of that token, from the rejection. Throws other errors. */
export function answerOfEndedToken(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'AnswerRefused'
      ? error.domainError.details.answer
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
