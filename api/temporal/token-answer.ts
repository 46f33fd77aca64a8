import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from './transactions';

/** The body of the response to a code. The attempts left are in the header X-Attempts-Remaining. */
export const tokenAnswerBody = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** If a code was rejected because its token is closed, returns the answer with the status of that token. Throws other errors. */
export function answerOfRejectedCode(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'AnswerRefused'
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
