/** All expected errors. `api/http/problem.ts` maps each to its problem code. */
export const domainErrorTypes = [
  'PhoneMissing',
  'EmailMissing',
  'EmailNotVerified',
  'DestinationNotMobile',
  'CountryNotAllowed',
  'ConfirmationNotFound',
  'ResendTooSoon',
  'SendLimitReached',
  'TransactionSendLimitReached',
  'DestinationDailyLimitReached',
  'TenantDailyLimitReached',
  'PrefixBlocked',
  'DestinationDenied',
  'PersonDenied',
  'PhoneNotAllowed',
  'NoProvider',
  'AttemptLimitReached',
  'TokenClosed',
  'CodeImpossible',
  'ValuesMismatch',
  'TransactionDenied',
  'ReplyRefused',
  'DestinationRefused',
  'DestinationOptedOut',
  'ProviderRefused',
  'BiometricsNotFound',
  'BiometricsInReview',
  'LinkLimitReached',
  'LinkTaken',
  'LinkClosed',
  'ConsentMissing',
  'CapturesMissing',
  'CaptureLimitReached',
  'NotInReview',
  'FlowRunning',
  'ChannelBusy',
  'RunLimitReached',
  'RunNotFound',
  'RunEnded',
  'NothingToAnswer',
  'CardMissing',
  'AnalysisFailed',
  'AnalysisBusy',
  'AnalysisLimitReached',
  'IdempotencyConflict',
] as const;

export type DomainErrorType = (typeof domainErrorTypes)[number];

/** Details for the error response. Never personal data. */
export interface DomainErrorDetails {
  /** Seconds until a retry can succeed. */
  retryAfterSeconds?: number;
  /** The confirmation or link that the error is about, such as a used token. */
  about?: { status: string; createdAt: string };
  /**
   * Keyed digest of the request: see `RequestInfo` in workflows/contract/commands.ts. Absent if the decision in the validator
   * rejected the request.
   */
  fingerprint?: string;
  /**
   * The version of the newest record that the workflow knew when it rejected the command. Only if the decision in the validator
   * rejected the request: such a rejection is not stored, so a repeat is decided on the current state.
   */
  savedVersion?: number;
  /** The error number of the provider, such as 21211. */
  providerCode?: string;
  /** The name of the limit in SENDING_LIMITS that was reached. */
  limit?: string;
  /** The id of the block that stops messages to phones with this prefix. */
  blockId?: string;
  /** The kind of the entry on a deny list that stops the message. */
  deniedKind?: string;
  /** Kinds of images that are not taken yet. */
  missing?: readonly string[];
  /** What is in use: a channel or `biometrics`, and the flow run that uses it, if any. */
  inUse?: { channel: string; runId?: string; flow?: string };
}

/** An expected error of a command. */
export interface DomainError {
  type: DomainErrorType;
  message: string;
  details: DomainErrorDetails;
}

/** What a pure function decides on a command: the error that rejects it, or what it changes. An error changes nothing. */
export type Decided<Change extends object> = { error: DomainError } | Change;

export function createDomainError(
  type: DomainErrorType,
  message: string,
  details: DomainErrorDetails = {},
): DomainError {
  return { type, message, details };
}
