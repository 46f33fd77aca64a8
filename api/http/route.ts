import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { RunView } from '../../domain/flows/view-run';
import type { ApiConfig } from '../../platform/config';
import type { Caller, Scope } from './auth/access-tokens';
import type { BodyLimits } from './body/read-json';
import type { DependencyName, Needs } from '../dependencies';
import type { ResponseHeader } from './openapi/response-headers';
import type { ProblemCode } from './problems';

/** The path of one transaction, as in SPEC. */
export const transactionPath = '/v1/transaction/{id}';

/** A request of one tenant, authenticated and validated. `Names`: the dependencies that its handler needs. */
export interface Call<Names extends DependencyName = never, Body = unknown> {
  dependencies: Needs<Names>;
  tenant: string;
  /** The id of the client who sent the request, for the audit log. */
  clientId: string;
  /** The id of the transaction. Empty if the path has no transaction. */
  id: string;
  body: Body;
  idempotencyKey?: string;
  request: Request;
  /** Whether the caller has a scope. Handlers use this to leave out fields that the caller may not read. */
  hasScope: (scope: Scope) => boolean;
  /** Throws insufficient_scope if the caller does not have the additional scope of the route. */
  checkAdditionalScope: () => void;
  /** Adds the transaction id to the log line of this request, for routes whose path does not have it. */
  logTransaction: (id: string) => void;
  /** Adds the flow run and its current step to the log line of this request. */
  logRun: (run: Partial<Pick<RunView, 'runId' | 'flow' | 'version' | 'step'>>) => void;
}

/** A response. `body` is sent as JSON, and `text` without a change. `stream` writes the whole body itself, and ends the response. */
export interface HandlerResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  stream?: (response: Response) => Promise<void>;
}

/** Answers a call. Throws a Problem if the call cannot be answered. `Names`: the dependencies that the handler needs. */
export type Handler<Names extends DependencyName = never, Body = unknown> = (
  call: Call<Names, Body>,
) => Promise<HandlerResponse>;

/** The schema of a JSON response, or one schema for each content type. A string describes a response without a body. */
export type ResponseShape = z.ZodType | Readonly<Record<string, z.ZodType>> | string;

/** A query or header parameter. */
export interface Parameter {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: Record<string, unknown>;
}

interface RouteBase {
  method: 'get' | 'post' | 'put' | 'delete';
  /** The path. Parameters are in braces, such as {id}. */
  path: string;
}

interface DocumentedRouteBase extends RouteBase {
  operationId: string;
  summary: string;
  responses: Record<number, ResponseShape>;
  parameters?: readonly Parameter[];
  /** Headers that a successful response of this route has, in addition to the headers of all routes of its type. */
  responseHeaders?: readonly ResponseHeader[];
  /** Problems of this route, in addition to the problems of all routes of its type (ApiRoute or PublicRoute). */
  problems?: readonly ProblemCode[];
  /**
   * Values of a successful response that other routes need as path parameters. The key is the name of a path parameter. The value is a
   * runtime expression of OpenAPI links, such as `$response.body#/id`. The OpenAPI document then links to all routes that need these
   * values.
   */
  provides?: Readonly<Record<string, string>>;
}

/** A route for callers with an access token. */
export interface ApiRoute extends DocumentedRouteBase {
  scope: Scope;
  /** A scope that only some requests need. `condition` completes the sentence "Also needs the scope …". */
  additionalScope?: { scope: Scope; condition: string };
  /**
   * The route ignores the Idempotency-Key: a repeated request is executed again, and can have another result. The OpenAPI document does
   * not have the header for this route, and client libraries do not repeat the request by themselves. Do not set this field if a repeat
   * has the same result without a key, as for PUT /v1/webhooks/{webhookId}, which replaces all settings.
   */
  ignoresKey?: true;
  /** The route ignores query parameters, because its callers are programs of others, such as the Temporal UI, and may add some. */
  ignoresQuery?: true;
  /** The response has texts in the language of the Accept-Language header. */
  localized?: true;
  /** Returns the schema of the JSON body. If this field is absent, the body must be empty. */
  body?: (settings: BodySettings) => z.ZodType;
  /** A valid body, for the OpenAPI document. Tests send it too. */
  example?: unknown;
  /** Limits of the body, if they differ from the default. */
  bodyLimits?: BodyLimits;
  /**
   * Returns the origin whose web pages may call the route (CORS). If this field is absent, browsers let no page of another origin call the
   * route.
   */
  allowedOrigin?: (config: ApiConfig) => string | undefined;
  /** Finds the caller of a request that has no access token in its Authorization header. */
  findCaller?: (dependencies: Needs<DependencyName>, request: Request) => Promise<Caller | undefined>;
  /** Reads many rows or records. The long reads of a tenant run one after the other: see `readInTurn`. */
  isLongRead?: true;
  /** Which rate limit of callers applies. Default: `client`. */
  limit?: 'client' | 'operator';
  handler: Handler<DependencyName>;
}

/**
 * Which requests count for a rate limit of their IP address, if the route needs no access token. `all`: every request. `login`: every
 * request, for the limit of logins. `rejected`: only requests with a wrong signature, because a provider sends many requests with a valid
 * signature. If the limit is used up, only addresses that have sent a valid access token or signature are still heard. `none`: no request,
 * for probes and for small files that are already in memory.
 */
type CountedRequests = 'all' | 'login' | 'rejected' | 'none';

/** A handler that writes the response itself. `Names`: the dependencies that it needs. */
export type RawHandler<Names extends DependencyName = never> = (
  dependencies: Needs<Names>,
  request: Request,
  response: Response,
) => Promise<void> | void;

/** A documented route that needs no access token. It issues access tokens, publishes keys, or serves health or the OpenAPI document. */
export interface PublicRoute extends DocumentedRouteBase {
  scope?: never;
  requestBody?: { contentType: string; body: z.ZodType; example: unknown };
  /** Default: all. */
  counted?: CountedRequests;
  serve: RawHandler<DependencyName>;
}

/** A route for a page, a file of a page, or a request of a provider. It is not in the OpenAPI document. */
export interface UndocumentedRoute extends RouteBase {
  scope?: never;
  operationId?: never;
  /** Default: all. */
  counted?: CountedRequests;
  serve: RawHandler<DependencyName>;
}

/** A route in the OpenAPI document. */
export type DocumentedRoute = ApiRoute | PublicRoute;

/** A route that needs no access token. */
export type RouteWithoutToken = PublicRoute | UndocumentedRoute;

export type Route = ApiRoute | RouteWithoutToken;

/** Settings that change the schema of bodies. */
export interface BodySettings {
  config: Pick<ApiConfig, 'STRICT_DOCUMENTS' | 'COUNTERSIGN_ENV'>;
}

/** Whether a route has a query parameter. Its handler then also rejects unknown ones. */
export const hasQuery = ({ parameters = [] }: Pick<ApiRoute, 'parameters'>): boolean =>
  parameters.some((parameter) => parameter.in === 'query');

/** Whether requests of a route have a body. */
export const hasBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'post' || method === 'put';

/** Creates a route whose handler knows the type of its body. TypeScript checks that the handler and the example match the schema. */
export function withBody<Schema extends z.ZodType>(
  route: Omit<ApiRoute, 'body' | 'example' | 'handler'> & {
    body: (settings: BodySettings) => Schema;
    example: z.input<Schema>;
    handler: Handler<DependencyName, z.output<Schema>>;
  },
): ApiRoute {
  return { ...route, handler: (call) => route.handler(call as Call<DependencyName, z.output<Schema>>) };
}

/** Creates a route for persons or providers. `counted`: which requests count for the rate limit of their IP address. */
export const undocumentedRoute = (
  method: 'get' | 'post',
  path: string,
  serve: RawHandler<DependencyName>,
  counted: CountedRequests = 'all',
): UndocumentedRoute => ({ method, path, serve, counted });
