import { ApplicationFailure } from '@temporalio/common';
import { ActivityFailure } from '@temporalio/workflow';
import { faultOf } from '../domain/delivery';
import { type Failure, type FailureType, failureTypes, type FailureDetails } from '../domain/failures';

/** A domain error as Temporal carries it: final, and no alarm for operators. */
export function domainError({ type, message, details }: Failure): ApplicationFailure {
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
  return error instanceof ApplicationFailure && failureTypes.includes(error.type as FailureType);
}

function failureBehind(error: unknown): Failure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!isDomainError(cause)) return undefined;
  return { type: cause.type as FailureType, message: cause.message, details: cause.details?.[0] ?? {} };
}

/** The domain error behind a failed activity, or undefined when it failed for any other reason. */
export function domainErrorBehind(error: unknown): ApplicationFailure | undefined {
  const behind = failureBehind(error);
  return behind && domainError(behind);
}

/** Why a message was not taken, in the words of records; `NotReached` when nobody refused it. */
export function faultBehind(error: unknown): string {
  const behind = failureBehind(error);
  return behind ? faultOf(behind.type, behind.details.providerCode) : 'NotReached';
}

/** Why a request was refused, in the words of records. */
export function faultIn({ type, details }: ApplicationFailure): string {
  const [given] = (details ?? []) as [FailureDetails?];
  return faultOf(type ?? 'Refused', given?.providerCode);
}

/** The error with the fingerprint of the request that it answers: another request under the same key is told apart by it. */
export function withFingerprint(error: unknown, fingerprint: string): unknown {
  if (!isDomainError(error)) return error;
  const details = { ...(error.details?.[0] as FailureDetails), fingerprint };
  return domainError({ type: error.type as FailureType, message: error.message, details });
}
