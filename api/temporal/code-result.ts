import type { CodeResult } from '../../domain/check-code';
import { CommandRejected } from './transactions';

/** The body of the response to a code. The attempts left are in the header X-Attempts-Remaining. */
export const codeResultBody = ({ status, type, createdAt, expirationTime }: CodeResult) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The answer for a code that was rejected because its token is closed: it has the status of the token. Throws all other errors. */
export function toClosedTokenResult(error: unknown): CodeResult {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'TokenClosed'
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as CodeResult;
  throw error;
}
