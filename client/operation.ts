import type { operations } from './generated/openapi.ts';
import type { routes } from './generated/routes.ts';

/** The operations of the OpenAPI document that a caller can use, by `operationId`. */
export type OperationId = keyof typeof routes & keyof operations;

/** All parameters of an operation: path, query and headers. */
type Parameters<Id extends OperationId> = operations[Id]['parameters'];
/** The argument `path`, if the operation has parameters in its path. */
type PathOf<Id extends OperationId> = Parameters<Id> extends { path: infer Path } ? { path: Path } : { path?: never };
/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;

/** The headers of an operation, without those that `CallOptions` sets. */
export type HeaderOf<Id extends OperationId> = Omit<
  NonNullable<Parameters<Id>['header']>,
  'Idempotency-Key' | 'Accept-Language'
>;

/** The JSON body of a request. */
export type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : never;
/** The argument `body`. It is required, optional or forbidden, as the operation defines. */
type WithBody<Id extends OperationId> = [BodyOf<Id>] extends [never]
  ? { body?: never }
  : operations[Id] extends { requestBody: object }
    ? { body: BodyOf<Id> }
    : { body?: BodyOf<Id> | undefined };

/** The arguments of an operation, without the options of the call. */
export type ArgumentsOf<Id extends OperationId> = PathOf<Id> &
  WithBody<Id> & { query?: QueryOf<Id>; header?: HeaderOf<Id> };

/** The successful answers of an operation, with the status 200, 201 or 204. */
type Successes<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & (200 | 201 | 204)]: operations[Id]['responses'][Status];
}[keyof operations[Id]['responses'] & (200 | 201 | 204)];
/** The type of the body of one answer. */
type ContentOf<Success> = Success extends { content: { 'application/json': infer Body } }
  ? Body
  : Success extends { content: { 'image/svg+xml': infer Text } }
    ? Text
    : undefined;

/** The body of a successful answer. Undefined if the answer has no body. */
export type ResultOf<Id extends OperationId> = ContentOf<Successes<Id>>;

/** Options of each call. */
export interface CallOptions {
  /**
   * The service executes requests with the same key only once. By default, each call that changes something has its own random key. All
   * attempts of the call have this key. Give your own key if your program may make the same call again, for example after a restart.
   */
  idempotencyKey?: string | undefined;
  /** How long the call may take, with all its attempts and pauses. Default: `timeoutMs` of the client, 60,000 ms. */
  timeoutMs?: number | undefined;
  /** The maximum number of attempts. Default: `maxAttempts` of the client, 3. */
  maxAttempts?: number | undefined;
  /** When this signal aborts, the call ends and throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** The language of descriptions in answers. */
  language?: 'pt-BR' | 'en' | 'es' | undefined;
}

/** The result of a call. `withResponse` also returns the HTTP response, for example to read the header `X-Attempts-Remaining`. */
export interface Result<T> extends Promise<T> {
  withResponse(): Promise<{ data: T; response: Response }>;
}
