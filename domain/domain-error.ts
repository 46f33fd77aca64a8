/** Every way in which the service refuses. `api/http/problems.ts` gives each its status and its words. */
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
  'AttemptLimitReached',
  'AnswerRefused',
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

/** What a refusal carries, so that its answer can say what to do next. Never personal data. */
export interface DomainErrorDetails {
  /** Seconds until asking again can succeed. */
  retryAfterSeconds?: number;
  /** Records that the refusal speaks of, e.g. the token that is used already. */
  answer?: { status: string; createdAt: string };
  /** Keyed digest of the request that was refused; absent when it was refused before anything began. */
  fingerprint?: string;
  /** The provider's own error number, e.g. 21211. */
  providerCode?: string;
  /** Kinds of images that are not taken yet. */
  missing?: readonly string[];
  /** What is in the way: a channel or `biometrics`, and the run that uses it where it is one. */
  inUse?: { channel: string; runId?: string; flow?: string };
}

export interface DomainError {
  type: DomainErrorType;
  message: string;
  details: DomainErrorDetails;
}

export function createDomainError(
  type: DomainErrorType,
  message: string,
  details: DomainErrorDetails = {},
): DomainError {
  return { type, message, details };
}
