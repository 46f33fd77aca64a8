import { type Confirmation, isDenied, isPastExpiry, isOpen, type TokenStatus } from './confirmation';
import { type DomainError, createDomainError } from './domain-error';
import { limits } from './limits';
import { closeAsConfirmed, closeAsDenied, recordLaterDenial } from './outcome';
import { currentConfirmation, type TransactionState, withConfirmation } from './state';

/** The response to a code. `Invalid` and `Used` appear only here, never as the status of a token. */
export interface CodeResult {
  status: TokenStatus | 'Invalid' | 'Used';
  createdAt: string;
  type: 'Sms' | 'Email';
  expirationTime: string;
  attemptsRemaining?: number;
}

/**
 * `none`: no token was requested. `closed`: the token is closed, so the code was not checked. `impossible`: the code cannot be the code of
 * the token, because it has another number of digits. It is wrong without a comparison, and uses no attempt. `evaluated`: the code was
 * checked and counts as an attempt. `ifDestinationExhausted`: the state and the answer to use instead, if the phone or mailbox has no
 * attempts left.
 */
export type AttemptResult =
  | { kind: 'none' }
  | { kind: 'closed'; answer: CodeResult }
  | { kind: 'impossible'; answer: CodeResult }
  | {
      kind: 'evaluated';
      state: TransactionState;
      answer: CodeResult;
      correct: boolean;
      ifDestinationExhausted: { state: TransactionState; answer: CodeResult };
    };

/** Attempts left on a token. A token never has more attempts left than its transaction. */
export function attemptsRemaining(state: TransactionState, token: Confirmation): number {
  const tokenAttemptsLeft = (token.settings.attemptLimit ?? 0) - token.attemptsUsed;
  return Math.max(0, Math.min(tokenAttemptsLeft, limits.attemptsPerTransaction - state.attemptsUsed));
}

function answerOf(state: TransactionState, token: Confirmation, status: CodeResult['status']): CodeResult {
  const type = token.settings.channel === 'email' ? 'Email' : 'Sms';
  const body = { status, createdAt: token.createdAt, type, expirationTime: token.expiresAt } as const;
  return status === 'Invalid' || status === 'Superseded'
    ? { ...body, attemptsRemaining: attemptsRemaining(state, token) }
    : body;
}

/** The status in the answer to a code, if the token of this code is closed. Undefined while the token is open. */
function closedStatus(state: TransactionState, token: Confirmation, now: string): CodeResult['status'] | undefined {
  if (token.status === 'Valid') return 'Used';
  if (isPastExpiry(token, now)) return 'Expired';
  if (token.status !== 'Waiting') return token.status as TokenStatus;
  return attemptsRemaining(state, token) === 0 ? 'Blocked' : undefined;
}

/** The result for a closed token, the same for a right and a wrong code. Undefined while the token is open. */
export function findClosedTokenResult(
  state: TransactionState,
  token: Confirmation,
  now: string,
): CodeResult | undefined {
  const closed = closedStatus(state, token, now);
  return closed && answerOf(state, token, closed);
}

/** The error for a code that comes after its token was closed. */
export const createTokenClosedError = (answer: CodeResult): DomainError =>
  createDomainError('TokenClosed', `The token is ${answer.status}.`, { about: answer });

/** The error for a code that uses no attempt: see `impossible` in `AttemptResult`. */
export const createImpossibleCodeError = (answer: CodeResult): DomainError =>
  createDomainError('CodeImpossible', 'The code has another number of digits.', { about: answer });

/** Blocks all open tokens of a transaction that has no attempts left. */
function blockIfExhausted(state: TransactionState): TransactionState {
  if (state.attemptsUsed < limits.attemptsPerTransaction) return state;
  const confirmations = state.confirmations.map((token) =>
    token.settings.kind === 'token' && token.status === 'Waiting' ? { ...token, status: 'Blocked' as const } : token,
  );
  return { ...state, confirmations };
}

/** Compares two digests in constant time. */
export function sameDigest(left: string, right: string | undefined): boolean {
  if (right === undefined || left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

/**
 * Compares the keyed digest of a code that the person typed with the digest of the newest token with the settings `settingsName`, such as
 * `sms-token`. Every comparison counts as an attempt of the token and of the transaction. It also counts as an attempt of the phone or
 * mailbox, but only if the code is wrong. `digits`: how many digits the typed code has, if known.
 */
export function checkCode(
  state: TransactionState,
  settingsName: string,
  digest: string,
  now: string,
  digits?: number,
): AttemptResult {
  const token = currentConfirmation(state, settingsName);
  if (!token) return { kind: 'none' };
  const closed = findClosedTokenResult(state, token, now);
  if (closed) return { kind: 'closed', answer: closed };
  const isOlderCode = () =>
    state.confirmations.some(
      (other) => other.id !== token.id && other.settings.name === settingsName && sameDigest(digest, other.digest),
    );
  if (digits !== undefined && digits !== (token.settings.codeDigits ?? digits))
    return { kind: 'impossible', answer: answerOf(state, token, isOlderCode() ? 'Superseded' : 'Invalid') };

  const attemptedToken = { ...token, attemptsUsed: token.attemptsUsed + 1 };
  const stateAfterAttempt = blockIfExhausted(
    withConfirmation({ ...state, attemptsUsed: state.attemptsUsed + 1 }, attemptedToken),
  );
  const blockedState = withConfirmation(stateAfterAttempt, { ...attemptedToken, status: 'Blocked' });
  const ifDestinationExhausted = { state: blockedState, answer: answerOf(blockedState, attemptedToken, 'Blocked') };
  if (sameDigest(digest, token.digest)) {
    const confirmedState = closeAsConfirmed(stateAfterAttempt, attemptedToken, 'Valid', now);
    return {
      kind: 'evaluated',
      correct: true,
      state: confirmedState,
      answer: answerOf(confirmedState, attemptedToken, 'Valid'),
      ifDestinationExhausted,
    };
  }
  if (attemptsRemaining(stateAfterAttempt, attemptedToken) === 0)
    return { kind: 'evaluated', correct: false, ...ifDestinationExhausted, ifDestinationExhausted };
  const answer = answerOf(stateAfterAttempt, attemptedToken, isOlderCode() ? 'Superseded' : 'Invalid');
  return { kind: 'evaluated', correct: false, state: stateAfterAttempt, answer, ifDestinationExhausted };
}

/**
 * Records a denial: the person says that they did not request the token. An open token is blocked. A closed token keeps its status, because
 * callers may have read the status. The denial counts in both cases. Undefined if there is no token with this id, or if the person has
 * already denied the token.
 */
export function denyToken(state: TransactionState, confirmationId: string, now: string): TransactionState | undefined {
  const token = state.confirmations.find((confirmation) => confirmation.id === confirmationId);
  if (token?.settings.kind !== 'token' || isDenied(token)) return undefined;
  if (isPastExpiry(token, now)) return recordLaterDenial(state, { ...token, status: 'Expired' }, now);
  return isOpen(token) ? closeAsDenied(state, token, 'Blocked', now) : recordLaterDenial(state, token, now);
}
