import { ServiceError } from '@temporalio/client';

/** The error of a Temporal client for a gRPC status. */
export function serviceError(code: number, details: string): ServiceError {
  const cause = Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} });
  return new ServiceError('Failed to call Temporal', { cause });
}
