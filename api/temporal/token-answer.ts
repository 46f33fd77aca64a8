import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from './transactions';

/** The outcome of a validation. */
export const tokenAnswerOf = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** A rejected validation still has an outcome: the status of the closed token. Throws other errors. */
export function answerOfClosedToken(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'AnswerRefused'
      ? error.domainError.details.answer
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
