import { type Confirmation, isDenied, isOpen, isPastExpiry, type TokenStatus } from './confirmation';
import { createDomainError, type Decided, type DomainError } from '../domain-error';
import { limits } from '../transactions/limits';
import { closeConfirmation, recordLaterDenial } from '../transactions/outcome';
import { currentConfirmation, type TransactionState, withConfirmation } from '../transactions/state';
import { settingsLimits, type TokenType, tokenTypes } from './settings';

/** The response to a code. `Invalid` and `Used` appear only here, never as the status of a token. */
export interface CodeResult {
  status: TokenStatus | 'Invalid' | 'Used';
  createdAt: string;
  type: TokenType;
  expirationTime: string;
  attemptsRemaining?: number;
}

/**
 * The two outcomes of an attempt at a code. The database picks one, in the transaction that counts the attempt. `allowed`: the phone or mailbox
 * has attempts left. `rejected`: it has none left.
 */
export interface AttemptOutcomes<Outcome> {
  allowed: Outcome;
  rejected: Outcome;
}

/** The state after an attempt, and the answer to the caller. */
export interface AttemptOutcome {
  state: TransactionState;
  answer: CodeResult;
}

/** A code that was compared, and so counts as an attempt. */
export interface EvaluatedCode {
  isCorrect: boolean;
  outcomes: AttemptOutcomes<AttemptOutcome>;
}

/** Attempts left on a token. A token never has more attempts left than its transaction. */
export function attemptsRemaining(state: TransactionState, token: Confirmation): number {
  const tokenAttemptsLeft = (token.settings.attemptLimit ?? 0) - token.attemptsUsed;
  return Math.max(0, Math.min(tokenAttemptsLeft, limits.attemptsPerTransaction - state.attemptsUsed));
}

function answerOf(state: TransactionState, token: Confirmation, status: CodeResult['status']): CodeResult {
  const type = tokenTypes[token.settings.channel];
  const body = { status, createdAt: token.createdAt, type, expirationTime: token.expiresAt };
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

/** The error for a code that has another number of digits than the token, so it is wrong without a comparison. It uses no attempt. */
const createImpossibleCodeError = (answer: CodeResult): DomainError =>
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
 * mailbox, but only if the code is wrong. `digits`: how many digits the typed code has, if known. Errors: ConfirmationNotFound, TokenClosed
 * and CodeImpossible.
 */
export function checkCode(
  state: TransactionState,
  settingsName: string,
  digest: string,
  now: string,
  digits?: number,
): Decided<EvaluatedCode> {
  const token = currentConfirmation(state, settingsName);
  if (!token) return { error: createDomainError('ConfirmationNotFound', 'No token was requested. Request one first.') };
  const closed = findClosedTokenResult(state, token, now);
  if (closed) return { error: createTokenClosedError(closed) };
  const isOlderCode = () =>
    state.confirmations.some(
      (other) => other.id !== token.id && other.settings.name === settingsName && sameDigest(digest, other.digest),
    );
  if (digits !== undefined && digits !== (token.settings.codeDigits ?? digits))
    return { error: createImpossibleCodeError(answerOf(state, token, isOlderCode() ? 'Superseded' : 'Invalid')) };

  const attemptedToken = { ...token, attemptsUsed: token.attemptsUsed + 1 };
  const stateAfterAttempt = blockIfExhausted(
    withConfirmation({ ...state, attemptsUsed: state.attemptsUsed + 1 }, attemptedToken),
  );
  const outcome = (next: TransactionState, status: CodeResult['status']): AttemptOutcome => ({
    state: next,
    answer: answerOf(next, attemptedToken, status),
  });
  const isCorrect = sameDigest(digest, token.digest);
  const rejected = outcome(withConfirmation(stateAfterAttempt, { ...attemptedToken, status: 'Blocked' }), 'Blocked');
  const allowed = isCorrect
    ? outcome(closeConfirmation(stateAfterAttempt, attemptedToken, 'Valid', 'yes', now), 'Valid')
    : attemptsRemaining(stateAfterAttempt, attemptedToken) === 0
      ? rejected
      : outcome(stateAfterAttempt, isOlderCode() ? 'Superseded' : 'Invalid');
  return { isCorrect, outcomes: { allowed, rejected } };
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
  return isOpen(token) ? closeConfirmation(state, token, 'Blocked', 'no', now) : recordLaterDenial(state, token, now);
}

const [digitsMin, digitsMax] = settingsLimits.codeDigits;

/** What is wrong with a text that cannot be a code. It is the same for every token, so it does not tell how many digits a code has. */
export const typedCodeIssue = `must be a code of ${digitsMin} to ${digitsMax} digits`;

/** Characters that come with a pasted code, but that people do not see or read as separators: spaces, dashes and invisible characters. */
const separators = /[\p{White_Space}\p{Dash}\p{Default_Ignorable_Code_Point}]/gu;

const codePattern = new RegExp(`^[0-9]{${digitsMin},${digitsMax}}$`);

/**
 * The digits of a code that a person typed or pasted. Separators are removed, and other forms of digits, such as full-width digits, become
 * ASCII. Undefined if the text cannot be a code: then it must not be compared, and uses no attempt.
 */
export function readTypedCode(text: string): string | undefined {
  const digits = text.normalize('NFKC').replace(separators, '');
  return codePattern.test(digits) ? digits : undefined;
}
