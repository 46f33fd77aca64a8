import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { DomainErrorDetails } from '../../domain/domain-error';

/**
 * The domain error with which the workflow rejects an update, without `savedVersion`, which is only for the API. Throws if the update is
 * accepted.
 */
export async function rejectionOf(update: Promise<unknown>): Promise<{ type: string; details: DomainErrorDetails }> {
  const error = await update.then(
    () => {
      throw new Error('The update was accepted.');
    },
    (failure: unknown) => failure,
  );
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  const { savedVersion: _, ...details } = (error.cause.details?.[0] ?? {}) as DomainErrorDetails;
  return { type: error.cause.type ?? '', details };
}
