import { ServiceError } from '@temporalio/client';

/** The error that a Temporal client throws for this gRPC status code. */
export function serviceError(code: number, details: string): ServiceError {
  const cause = Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} });
  return new ServiceError('Failed to call Temporal', { cause });
}
