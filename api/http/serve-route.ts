import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { asNobody, asTenant } from '../../platform/tenant-scope';
import { allowOrigin, answerPreflight } from './allow-origin';
import { authenticate, requireScope } from './auth/authenticate';
import { readJson } from './body/read-json';
import type { Dependencies } from '../dependencies';
import { Problem } from './problem';
import type { ProblemCode } from './problems';
import { type HandlerResponse, type ApiRoute, type Call, hasBody, type Route, type UncheckedRoute } from './route';
import { emptyBody } from './body/value-body';
import { isTransactionId } from './transaction-id';

/** The content type of all JSON responses. */
const jsonContentType = 'application/json; charset=utf-8';

/** A run id of the path is logged only if it is valid, because the caller could send any text there. */
const runIdSchema = z.uuid();

const rejections: readonly ProblemCode[] = ['unauthorized', 'invalid_signature'];

/** A path of the route table in the syntax of Express. */
export const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Adds a route to the app: authenticate, check the rate limit and the scope, read the body, handle, respond. */
export function serveRoute(app: Express, route: Route, dependencies: Dependencies): void {
  const handle: RequestHandler = async (request, response) => {
    response.locals['route'] = route.path;
    // The handler of a page sets the tenant when it has read the token of the link.
    if (route.scope === undefined) return asNobody(() => serveUnchecked(route, dependencies, request, response));
    allowOrigin(route.allowedOrigin?.(dependencies.config), request, response);
    await writeResponse(response, await asNobody(() => handleCall(route, dependencies, request, response)));
  };
  app[route.method](expressPath(route.path), handle);
  if (route.scope !== undefined && route.allowedOrigin)
    app.options(expressPath(route.path), answerPreflight(route.allowedOrigin(dependencies.config), route.method));
}

/** Serves a route without an access token. Its requests count before they are handled, or only if they are rejected. */
function serveUnchecked(
  { counted = 'all', serve }: UncheckedRoute,
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<void> | void {
  const { rateLimits } = dependencies;
  if (counted === 'rejected')
    return countIfRejected(dependencies, request, response, async () => serve(dependencies, request, response));
  if (counted === 'login') rateLimits.countLogin(request, response);
  if (counted === 'all') rateLimits.countAddress(request, response);
  return serve(dependencies, request, response);
}

/** Counts a request for its address if its access token or signature is not valid. Then throws rate_limited or that problem. */
async function countIfRejected<Result>(
  { rateLimits }: Dependencies,
  request: Request,
  response: Response,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && rejections.includes(error.code)) rateLimits.countAddress(request, response);
    throw error;
  }
}

async function handleCall(
  route: ApiRoute,
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
  dependencies.rateLimits.countClient(caller.clientId, response, route.limit);
  requireScope(caller, route.scope);
  const key = route.method !== 'get' ? idempotencyKeyOf(request) : undefined;
  const body = hasBody(route)
    ? await readJson(route.body?.(dependencies) ?? emptyBody, request, response, route.bodyLimits)
    : undefined;
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
  if (typeof runId === 'string' && runIdSchema.safeParse(runId).success) logRun({ runId });
  const call: Call = {
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
  return asTenant(caller.tenant, () => route.handler(call));
}

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
