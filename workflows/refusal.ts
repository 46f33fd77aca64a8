import { ApplicationFailure } from '@temporalio/common';
import { ActivityFailure } from '@temporalio/workflow';
import { faultOf } from '../domain/delivery';
import { type Failure, type FailureType, failureTypes, type FailureDetails } from '../domain/failures';

/** A refusal as Temporal carries it: final, and no alarm for operators. */
export function refusal({ type, message, details }: Failure): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [details], nonRetryable: true, category: 'BENIGN' });
}

function failureBehind(error: unknown): Failure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || !failureTypes.includes(cause.type as FailureType)) return undefined;
  return {
    type: cause.type as FailureType,
    message: cause.message,
    details: cause.details?.[0] ?? {},
  };
}

/** The refusal behind a failed activity, or undefined when it failed for any other reason. */
export function refusalOf(error: unknown): ApplicationFailure | undefined {
  const behind = failureBehind(error);
  return behind && refusal(behind);
}

/** Why a message was not taken, in the words of records; `NotReached` when nobody refused it. */
export function faultBehind(error: unknown): string {
  const behind = failureBehind(error);
  return behind ? faultOf(behind.type, behind.details.providerCode) : 'NotReached';
}

/** Why a request was refused, in the words of records. */
export function faultIn({ type, details }: ApplicationFailure): string {
  const [told] = (details ?? []) as [FailureDetails?];
  return faultOf(type ?? 'Refused', told?.providerCode);
}

/** Rethrows a refusal with the request it answered: the same idempotency key with another request is told apart by it. */
export function stampedWith(fingerprint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApplicationFailure) || !failureTypes.includes(error.type as FailureType)) throw error;
    const details = { ...(error.details?.[0] as FailureDetails), fingerprint };
    throw refusal({ type: error.type as FailureType, message: error.message, details });
  };
}
