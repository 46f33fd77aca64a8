import type { DomainErrorDetails, DomainErrorType } from '../../domain/domain-error';
import type { Channel } from '../../domain/confirmations/settings';
import { type ProblemCode, problems } from './problems';

/** For each channel, the problem if the phone or mailbox has reached its daily limit. */
const dailyLimitCodes: Record<Channel, ProblemCode> = {
  sms: 'phone_daily_limit',
  whatsapp: 'phone_daily_limit',
  voice: 'phone_daily_limit',
  email: 'email_daily_limit',
};

/** The problem for each type of domain error. */
const codesByDomainError: Record<Exclude<DomainErrorType, 'DestinationDailyLimitReached'>, ProblemCode> = {
  PhoneMissing: 'phone_missing',
  EmailMissing: 'email_missing',
  EmailNotVerified: 'email_not_verified',
  DestinationNotMobile: 'destination_not_mobile',
  CountryNotAllowed: 'country_not_allowed',
  ConfirmationNotFound: 'token_not_found',
  ResendTooSoon: 'resend_too_soon',
  SendLimitReached: 'send_limit_reached',
  TransactionSendLimitReached: 'transaction_send_limit_reached',
  TenantDailyLimitReached: 'tenant_daily_limit',
  PrefixBlocked: 'prefix_blocked',
  DestinationDenied: 'destination_denied',
  PersonDenied: 'person_denied',
  PhoneNotAllowed: 'phone_not_allowed',
  NoProvider: 'no_provider',
  AttemptLimitReached: 'attempt_limit_reached',
  // Callers never get a problem for this error: handlers answer 200 with the status of the token instead.
  TokenClosed: 'internal_error',
  CodeImpossible: 'internal_error',
  ValuesMismatch: 'values_mismatch',
  TransactionDenied: 'transaction_denied',
  ReplyRefused: 'reply_refused',
  DestinationRefused: 'destination_refused',
  DestinationOptedOut: 'destination_opted_out',
  ProviderRefused: 'provider_refused',
  BiometricsNotFound: 'biometrics_not_found',
  BiometricsInReview: 'biometrics_in_review',
  LinkLimitReached: 'link_limit_reached',
  LinkTaken: 'link_taken',
  LinkClosed: 'link_closed',
  ConsentMissing: 'consent_missing',
  CapturesMissing: 'captures_missing',
  CaptureLimitReached: 'capture_limit_reached',
  NotInReview: 'not_in_review',
  FlowRunning: 'flow_running',
  ChannelBusy: 'channel_busy',
  RunLimitReached: 'run_limit_reached',
  RunNotFound: 'run_not_found',
  RunEnded: 'run_ended',
  NothingToAnswer: 'nothing_to_answer',
  CardMissing: 'card_missing',
  AnalysisFailed: 'analysis_failed',
  AnalysisBusy: 'analysis_busy',
  AnalysisLimitReached: 'analysis_limit_reached',
  IdempotencyConflict: 'idempotency_conflict',
};

/** What one occurrence of a problem has in addition to the texts of its code. */
export interface ProblemExtras {
  detail?: string;
  /** What is wrong with each field, by the path of the field. */
  errors?: Record<string, string[]>;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Extension members (RFC 9457, 3.2). */
  members?: Record<string, string | number | readonly (object | string)[]>;
}

/** An error that becomes a response as in RFC 9457. Its texts are public: they never contain input of a person or caller. */
export class Problem extends Error {
  override name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly extras: ProblemExtras = {},
  ) {
    super(problems[code].title);
  }
}

/**
 * Returns the problem for a domain error. `channel`: the channel of the message. If the daily limit of a phone or mailbox is reached, the
 * channel decides between phone_daily_limit and email_daily_limit.
 */
export function domainErrorToProblem(
  type: DomainErrorType,
  details: DomainErrorDetails,
  channel: Channel = 'sms',
): Problem {
  const code = type === 'DestinationDailyLimitReached' ? dailyLimitCodes[channel] : codesByDomainError[type];
  const { retryAfterSeconds, providerCode, about, inUse, missing, limit, blockId, deniedKind } = details;
  const members = {
    ...(about && { linkStatus: about.status }),
    ...inUse,
    ...(missing && { missing }),
    ...(limit && { limit }),
    ...(blockId && { blockId }),
    ...(deniedKind && { deniedKind }),
  };
  return new Problem(code, {
    ...(Object.keys(members).length > 0 && { members }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(providerCode ? { detail: `${problems[code].detail} Provider code: ${providerCode}.` } : {}),
  });
}

/**
 * Returns the result of `work`. If `work` throws a Problem, returns the result of `fallback` instead. If this result is undefined, throws
 * the Problem.
 */
export async function withFallbackOnProblem<Result, Fallback>(
  work: Promise<Result>,
  fallback: () => Promise<Fallback | undefined>,
): Promise<Result | Fallback> {
  try {
    return await work;
  } catch (error) {
    const fallbackResult = error instanceof Problem ? await fallback() : undefined;
    if (fallbackResult === undefined) throw error;
    return fallbackResult;
  }
}
