import type { CodeResult } from '../../domain/check-code';
import { CommandRejected } from './transactions';

/** The body of the response to a typed code. The number of attempts left is in the header X-Attempts-Remaining. */
export const codeResultBody = ({ status, type, createdAt, expirationTime }: CodeResult) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/**
 * If the error says that the token accepts no code any more, returns the answer for the caller, with the status of the token. Throws all
 * other errors.
 */
export function toClosedTokenResult(error: unknown): CodeResult {
  const answer =
    error instanceof CommandRejected && error.domainError.type === 'TokenClosed'
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as CodeResult;
  throw error;
}
