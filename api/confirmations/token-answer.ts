import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from '../temporal/transactions';

/** What became of a value, with every field that tokens have. */
export const tokenAnswerOf = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** A value that is not looked at any more is answered like one that was: with the status of the token. */
export function answerOfClosedToken(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.failure.type === 'AnswerRefused'
      ? error.failure.details.answer
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
