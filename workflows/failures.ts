import { ApplicationFailure } from '@temporalio/common';
import { ActivityFailure } from '@temporalio/workflow';
import { failureReasonOf } from '../domain/confirmations/delivery';
import {
  type DomainError,
  type DomainErrorType,
  domainErrorTypes,
  type DomainErrorDetails,
} from '../domain/domain-error';
import { recordAheadType } from './contract/commands';
import { conditionFailedType, recordNotSavedType } from './contract/activities';

/** Converts a domain error to a Temporal failure. Temporal does not retry the failure, and operators get no alert. */
export function toFailure({ type, message, details }: DomainError): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [details], nonRetryable: true, category: 'BENIGN' });
}

/** Returns the result of a domain function. If the result has a domain error, throws this error. */
export function unwrap<Result extends object>(result: Result): Exclude<Result, { error: unknown }> {
  if ('error' in result) throw toFailure(result.error as DomainError);
  return result as Exclude<Result, { error: unknown }>;
}

/** The record has changes that this workflow run does not know, so the command must be repeated in the next workflow run. */
export function recordAheadFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    type: recordAheadType,
    message: 'The record is ahead of the workflow, which continues from the record. Repeat the command.',
    nonRetryable: true,
    category: 'BENIGN',
  });
}

/** The change of a command cannot be saved. It is undone. */
export function recordNotSavedFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    type: recordNotSavedType,
    message: 'The change could not be saved, and was undone. See the log of the worker.',
    nonRetryable: true,
  });
}

/** Whether an activity has failed with an error of this type. A local activity throws this error itself, and not an ActivityFailure. */
function hasFailedWith(type: string, error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === type;
}

/** Whether a save has failed with an error that a retry cannot help. */
export const isNotSaved = (error: unknown): boolean => hasFailedWith(recordNotSavedType, error);

/** Whether a condition cannot be evaluated. All other errors of `chooseRule` say nothing about the conditions. */
export const isConditionFailed = (error: unknown): boolean => hasFailedWith(conditionFailedType, error);

/** An unexpected error that fails only the update, and not the workflow task. */
export function unexpectedError(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Unexpected',
    message: 'Unexpected error. See the log of the worker.',
    nonRetryable: true,
  });
}

/** Whether an error is a domain error. All other errors are unexpected. */
export function isDomainError(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && domainErrorTypes.includes(error.type as DomainErrorType);
}

function readDomainError(error: unknown): DomainError | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!isDomainError(cause)) return undefined;
  return { type: cause.type as DomainErrorType, message: cause.message, details: cause.details?.[0] ?? {} };
}

/** The domain error with which an activity failed. Undefined if it failed for another reason. */
export function domainFailureOf(error: unknown): ApplicationFailure | undefined {
  const found = readDomainError(error);
  return found && toFailure(found);
}

/** Why a message failed, as records show it. `NotReached` if the activity failed without a domain error. */
export function reasonOfActivityError(error: unknown): string {
  const found = readDomainError(error);
  return found ? failureReasonOf(found.type, found.details.providerCode) : 'NotReached';
}

/** Why a request was rejected, as records show it. */
export function reasonOfRejection({ type, details }: ApplicationFailure): string {
  const [errorDetails] = (details ?? []) as [DomainErrorDetails?];
  return failureReasonOf(type ?? 'Refused', errorDetails?.providerCode);
}

/**
 * Adds details for the API to a domain error. `fingerprint`: with the fingerprint of the request, the API recognizes a different request that
 * has the same idempotency key. `savedVersion`: see `DomainErrorDetails`. With it, the API recognizes a workflow that is behind its record.
 */
export function withDetails(error: unknown, added: Pick<DomainErrorDetails, 'fingerprint' | 'savedVersion'>): unknown {
  if (!isDomainError(error)) return error;
  const details = { ...(error.details?.[0] as DomainErrorDetails), ...added };
  return toFailure({ type: error.type as DomainErrorType, message: error.message, details });
}
