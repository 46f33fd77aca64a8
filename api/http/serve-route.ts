import type { Express, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { asTenant, withoutTenant } from '../../platform/postgres/tenant-scope';
import { isUuid } from '../../platform/uuid';
import { allowOrigin, answerPreflight } from './caller-site';
import { authenticate, requireScope } from './auth/authenticate';
import { readJson } from './body/read-json';
import type { Dependencies, DependencyName, Needs } from '../dependencies';
import { parseQuery } from './page-query';
import { readInTurn } from './limits/rate-limits';
import { Problem } from './problem';
import type { ProblemCode } from './problems';
import {
  type ApiRoute,
  type Call,
  type HandlerResponse,
  hasBody,
  hasQuery,
  type Route,
  type RouteWithoutToken,
} from './route';
import { emptyBody } from './body/fields';

/** The content type of all JSON responses. */
const jsonContentType = 'application/json; charset=utf-8';

/** The problems of a request whose access token or signature is not valid. */
const rejectionCodes: readonly ProblemCode[] = ['unauthorized', 'invalid_signature'];

/** Converts a path such as `/v1/transaction/{id}` to the syntax of Express. */
export const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Adds a route to the app. For each request, the API checks the access token, the rate limit and the scope. Then it reads the body, calls
 * the handler, and sends the response.
 */
export function serveRoute(app: Express, route: Route, dependencies: Dependencies): void {
  // Once, and not for each request: a schema takes longer to build than to check a body.
  const schema = route.scope !== undefined && hasBody(route) ? (route.body?.(dependencies) ?? emptyBody) : undefined;
  const handle: RequestHandler = async (request, response) => {
    response.locals['route'] = route.path;
    request.params = withLowerCaseIds(request.params);
    // The tenant is not known yet. The handler of a page sets the tenant after it has read the token in the URL.
    if (route.scope === undefined)
      return withoutTenant(() => serveWithoutToken(route, dependencies, request, response));
    allowOrigin(route.allowedOrigin?.(dependencies.config), request, response);
    await writeResponse(
      response,
      await withoutTenant(() => handleCall(route, schema, dependencies, request, response)),
    );
  };
  app[route.method](expressPath(route.path), handle);
  if (route.scope !== undefined && route.allowedOrigin)
    app.options(expressPath(route.path), answerPreflight(route.allowedOrigin(dependencies.config), route.method));
}

/** Serves a route without an access token. `counted`: which requests count for the rate limit of their IP address. */
function serveWithoutToken(
  { counted = 'all', serve }: RouteWithoutToken,
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<void> | void {
  const { rateLimits } = dependencies;
  if (counted === 'rejected')
    return countIfRejected(dependencies, request, response, async () => serve(dependencies, request, response));
  if (counted === 'login') rateLimits.countLogin(request, response);
  if (counted === 'all') rateLimits.countIpAddress(request, response);
  return serve(dependencies, request, response);
}

/**
 * Runs `work`, which checks an access token or a signature. If it is not valid, the request counts for the rate limit of its IP address.
 * If this limit is used up, throws rate_limited without running `work`, except for an address from which a valid one came: see checkSender.
 */
async function countIfRejected<Result>(
  { rateLimits }: Needs<'rateLimits'>,
  request: Request,
  response: Response,
  work: () => Promise<Result>,
): Promise<Result> {
  rateLimits.checkSender(request, response);
  try {
    const result = await work();
    rateLimits.noteValidSender(request);
    return result;
  } catch (error) {
    if (error instanceof Problem && rejectionCodes.includes(error.code)) rateLimits.countIpAddress(request, response);
    throw error;
  }
}

/** Checks a request with an access token and its query, reads its body, and calls the handler. */
async function handleCall(
  route: ApiRoute,
  schema: z.ZodType | undefined,
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<HandlerResponse> {
  const caller = await countIfRejected(
    dependencies,
    request,
    response,
    async () => (await route.findCaller?.(dependencies, request)) ?? authenticate(dependencies, request),
  );
  response.locals['tenant'] = caller.tenant;
  response.locals['clientId'] = caller.clientId;
  dependencies.rateLimits.countClient(caller.clientId, response, route.limit);
  requireScope(caller, route.scope);
  if (!hasQuery(route) && !route.ignoresQuery) parseQuery(request.url, {});
  const key = route.method !== 'get' ? idempotencyKeyOf(request) : undefined;
  const body = schema && (await readJson(schema, request, response, route.bodyLimits));
  const id = request.params['id'];
  if (typeof id === 'string' && !isTransactionId(id)) throw new Problem('transaction_not_found');
  const logTransaction = (transactionId: string) => {
    response.locals['transactionId'] = transactionId;
  };
  if (typeof id === 'string') logTransaction(id);
  const logRun: Call['logRun'] = ({ runId, flow, version, step }) => {
    response.locals['run'] = { runId, flow, version, step };
  };
  const { runId } = request.params;
  // The id of a flow run is logged only if it is valid, because the caller could send any text there.
  if (typeof runId === 'string' && isUuid(runId)) logRun({ runId });
  const call: Call<DependencyName> = {
    dependencies,
    tenant: caller.tenant,
    clientId: caller.clientId,
    id: typeof id === 'string' ? id : '',
    body,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    request,
    hasScope: (scope) => caller.scopes.includes(scope),
    checkAdditionalScope: () => requireScope(caller, route.additionalScope?.scope ?? route.scope),
    logTransaction,
    logRun,
  };
  const handle = () => route.handler(call);
  return asTenant(caller.tenant, () => (route.isLongRead ? readInTurn(handle) : handle()));
}

/** Reads the Idempotency-Key header. Throws idempotency_key_invalid. */
function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('idempotency_key_invalid');
}

async function writeResponse(
  response: Response,
  { status, headers, body, text, stream }: HandlerResponse,
): Promise<void> {
  response.status(status).set(headers ?? {});
  if (stream) await stream(response);
  else if (body === undefined) response.end(text);
  else response.type(jsonContentType).end(JSON.stringify(body));
}

/** Whether a text has the form of a transaction id: a UUID of version 7 or 8 (RFC 9562). */
const isTransactionId = (id: string): boolean => isUuid(id) && /^.{14}[78].{4}[89ab]/.test(id);

/**
 * The parameters of a path, with each UUID in lower case. Upper and lower case are the same UUID (RFC 9562, 4), and some callers store
 * UUIDs in upper case. All ids of the service are in lower case, so everything behind the routes may compare them as texts.
 */
export function withLowerCaseIds(params: Request['params']): Request['params'] {
  const lowered: Request['params'] = { ...params };
  for (const [name, value] of Object.entries(params)) {
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    if (isUuid(text)) lowered[name] = text;
  }
  return lowered;
}
