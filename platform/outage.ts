import {
  isGrpcServiceError,
  isRetryableError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';

/**
 * SQLSTATEs of a statement that may succeed later without a change: connection (08), resources (53), operator intervention (57), a
 * read-only standby (25006), a conflict with another database transaction (40001), a deadlock (40P01), and outdated prepared statements
 * (26000 and 0A000: see `hasStaleStatements`).
 */
const sqlStates = /^(?:(?:08|53|57)[0-9A-Z]{3}|25006|40001|40P01|26000|0A000)$/;

/** Codes of sockets and DNS. Other codes that start with E, such as ENOENT for a missing file, are no outage. */
const networkCodes =
  /^(?:EAI_[A-Z]+|E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|NOBUFS|MFILE|NFILE))$/;

/** Codes of a disk that cannot be written: full, over its quota, read-only or broken. */
const diskCodes = /^E(?:NOSPC|DQUOT|ROFS|IO)$/;

/** Error messages of the Postgres driver and its pool that have no code: no connection, a lost connection, or no answer. */
const driverMessages =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Status codes of gRPC, with the numbers of its specification. */
export const grpcCodes = {
  resourceExhausted: 8,
  canceled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
  unauthenticated: 16,
} as const;

/**
 * Codes that mean an outage, although the SDK does not retry them. `canceled` and `deadlineExceeded`: the answer did not come in time.
 * `failedPrecondition`: a workflow did not answer an update or a query, because its workflow tasks have failed or timed out three times.
 */
const outageCodes: readonly number[] = [grpcCodes.canceled, grpcCodes.deadlineExceeded, grpcCodes.failedPrecondition];

/**
 * The gRPC error in an error of a Temporal client. The client wraps gRPC errors in a ServiceError, except some errors of update-with-start
 * (the call that resumes a closed transaction).
 */
function grpcErrorOf(error: unknown) {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause : undefined;
}

/** The gRPC code of an error of a Temporal client. Undefined for other errors. */
export const grpcCodeOf = (error: unknown): number | undefined => grpcErrorOf(error)?.code;

/** The gRPC code of a call to a service of Temporal, which no client wraps. */
export const serviceCodeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** The code of an error of a disk that cannot be written, such as `ENOSPC`. Undefined for other errors. */
export function diskCodeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && diskCodes.test(code) ? code : undefined;
}

/**
 * Whether Postgres, Temporal, its workers, a disk or the network are unavailable or overloaded, so that the same call may succeed later.
 * Callers get 503, and activities are retried.
 */
export function isOutage(error: unknown): boolean {
  const grpcError = grpcErrorOf(error);
  // Other codes, such as INVALID_ARGUMENT, mean that the call itself is invalid, so a retry fails again.
  if (grpcError) return outageCodes.includes(grpcError.code) || isRetryableError(grpcError);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const { name, code, message } = (error ?? {}) as { name?: unknown; code?: unknown; message?: unknown };
  // The native connection to Temporal could not connect.
  if (name === 'TransportError') return true;
  if (typeof code === 'string') return sqlStates.test(code) || networkCodes.test(code) || diskCodes.test(code);
  return typeof message === 'string' && driverMessages.test(message);
}
