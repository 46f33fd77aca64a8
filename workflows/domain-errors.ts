import { ApplicationFailure } from '@temporalio/common';
import { ActivityFailure } from '@temporalio/workflow';
import { failureReasonOf } from '../domain/delivery-status';
import {
  type DomainError,
  type DomainErrorType,
  domainErrorTypes,
  type DomainErrorDetails,
} from '../domain/domain-error';

/** A domain error as Temporal carries it: final, and no alarm for operators. */
export function domainError({ type, message, details }: DomainError): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [details], nonRetryable: true, category: 'BENIGN' });
}

/** An error that nobody foresaw: the update fails, and the workflow task does not. */
export function unexpectedError(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Unexpected',
    message: 'Unexpected error: see the log',
    nonRetryable: true,
  });
}

export function isDomainError(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && domainErrorTypes.includes(error.type as DomainErrorType);
}

function failureBehind(error: unknown): DomainError | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!isDomainError(cause)) return undefined;
  return { type: cause.type as DomainErrorType, message: cause.message, details: cause.details?.[0] ?? {} };
}

/** The domain error behind a failed activity, or undefined when it failed for any other reason. */
export function domainErrorBehind(error: unknown): ApplicationFailure | undefined {
  const behind = failureBehind(error);
  return behind && domainError(behind);
}

/** Why a message was not taken, in the words of records; `NotReached` when nobody refused it. */
export function failureReasonBehind(error: unknown): string {
  const behind = failureBehind(error);
  return behind ? failureReasonOf(behind.type, behind.details.providerCode) : 'NotReached';
}

/** Why a request was refused, in the words of records. */
export function failureReasonIn({ type, details }: ApplicationFailure): string {
  const [given] = (details ?? []) as [DomainErrorDetails?];
  return failureReasonOf(type ?? 'Refused', given?.providerCode);
}

/** The error with the fingerprint of the request that it answers: another request under the same key is told apart by it. */
export function withFingerprint(error: unknown, fingerprint: string): unknown {
  if (!isDomainError(error)) return error;
  const details = { ...(error.details?.[0] as DomainErrorDetails), fingerprint };
  return domainError({ type: error.type as DomainErrorType, message: error.message, details });
}
