import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from './transactions';

/** The response to a validation. */
export const tokenAnswerOf = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The answer to a code for a closed token: the status of that token, from the rejection. Throws other errors. */
export function answerOfClosedToken(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'AnswerRefused'
      ? error.domainError.details.answer
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
