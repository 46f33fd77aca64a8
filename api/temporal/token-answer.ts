import type { TokenAnswer } from '../../domain/token-answer';
import { CommandRejected } from './transactions';

/** The body of the response to a code. The attempts left are in the header X-Attempts-Remaining. */
export const tokenAnswerBody = ({ status, type, createdAt, expirationTime }: TokenAnswer) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The answer for a code that was rejected because its token is closed: it has the status of the token. Throws all other errors. */
export function toClosedTokenAnswer(error: unknown): TokenAnswer {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'AnswerRefused'
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as TokenAnswer;
  throw error;
}
