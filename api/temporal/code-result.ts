import type { CodeResult } from '../../domain/confirmation/check-code';
import type { DomainErrorType } from '../../domain/domain-error';
import { CommandRejected } from './transactions';

/** The body of the response to a typed code. The number of attempts left is in the header X-Attempts-Remaining. */
export const codeResultBody = ({ status, type, createdAt, expirationTime }: CodeResult) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The errors for a code that was not compared. They have the answer for the caller. */
const typesWithAnswer: readonly string[] = ['TokenClosed', 'CodeImpossible'] satisfies DomainErrorType[];

/**
 * If the error says that the code was not compared, because the token is closed or the code has another number of digits, returns the
 * answer for the caller. Throws all other errors.
 */
export function toResultWithoutAttempt(error: unknown): CodeResult {
  const answer =
    error instanceof CommandRejected && typesWithAnswer.includes(error.domainError.type)
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as CodeResult;
  throw error;
}
