import type { Request, RequestHandler, Response } from 'express';
import type { ApiRoute } from './route';
import type { PageRequester } from '../../domain/transactions/input';
import { isBelow, parseOrigin, parseReturnUrl, parseReturnUrlPrefix } from '../../platform/ip-addresses';
import { isOutage } from '../../platform/outage';
import type { Dependencies, Needs } from '../dependencies';
import { Problem } from './problem';

/** All headers that the Temporal UI sends. If users sign in to the UI, it also sends their ID token in Authorization-Extras. */
const allowedHeaders = ['Authorization', 'Authorization-Extras', 'Content-Type', 'X-Namespace'];

/**
 * How long a browser may keep the result of a preflight. Chromium keeps it for at most two hours. The value is much shorter, so that a
 * change of the allowed origin takes effect soon.
 */
const preflightSeconds = 600;

/** Whether a page of this origin sent the request. Browsers send the header Origin with every POST, and pages cannot change it. */
export const isFromOrigin = (origin: string | undefined, request: Request): boolean =>
  origin !== undefined && request.get('origin') === origin;

/** Lets pages of one origin read the response. Their requests may have cookies. Pages of other origins get no CORS header. */
export function allowOrigin(origin: string | undefined, request: Request, response: Response): void {
  if (origin === undefined) return;
  response.vary('Origin');
  if (!isFromOrigin(origin, request)) return;
  response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
}

/** Creates a handler that answers the preflight of a page of this origin. Every other preflight gets 405, as on a route without CORS. */
export function answerPreflight(origin: string | undefined, method: ApiRoute['method']): RequestHandler {
  return (request, response, next) => {
    allowOrigin(origin, request, response);
    if (!isFromOrigin(origin, request)) return next();
    response
      .status(204)
      .set({
        'Access-Control-Allow-Methods': method.toUpperCase(),
        'Access-Control-Allow-Headers': allowedHeaders.join(', '),
        'Access-Control-Max-Age': String(preflightSeconds),
      })
      .end();
  };
}

type ClientAddresses = Awaited<ReturnType<Dependencies['clientAddresses']>>;
type AddressDependencies = Needs<'clientAddresses' | 'config'>;

/** How a hosted page may interact with the site of the caller who requested the page. */
export interface CallerSite {
  /** Origins that may show the page in a frame. */
  frameOrigins: readonly string[];
  /** The URL to which the page sends the person back. */
  returnUrl?: string;
}

/** The addresses that a client may use. Throws service_unavailable while the database is unavailable. */
async function readAddresses({ clientAddresses }: AddressDependencies, clientId: string): Promise<ClientAddresses> {
  try {
    return await clientAddresses(clientId);
  } catch (error) {
    throw isOutage(error) ? new Problem('service_unavailable') : error;
  }
}

const isProduction = ({ config }: AddressDependencies) => config.COUNTERSIGN_ENV === 'production';

/** Whether a URL begins with one of the allowed return URLs (`entries`). In production, entries with a local address are ignored. */
const isListed = (url: URL, entries: readonly string[], inProduction: boolean) =>
  entries.some((entry) => {
    const prefix = parseReturnUrlPrefix(entry, inProduction);
    return 'url' in prefix && isBelow(url, prefix.url);
  });

/**
 * Returns the caller who requests a page, with the return URL. Throws return_url_not_allowed. `field`: the name of the field or header
 * with the URL, for the `errors` of the problem.
 */
export async function requesterOf(
  dependencies: AddressDependencies,
  clientId: string,
  returnUrl: string | null | undefined,
  field = 'returnUrl',
): Promise<PageRequester> {
  if (returnUrl === undefined || returnUrl === null) return { clientId };
  const reject = (issue: string) => new Problem('return_url_not_allowed', { errors: { [field]: [issue] } });
  const parsed = parseReturnUrl(returnUrl, isProduction(dependencies));
  if ('issue' in parsed) throw reject(parsed.issue);
  const { returnUrls } = await readAddresses(dependencies, clientId);
  if (!isListed(parsed.url, returnUrls, isProduction(dependencies)))
    throw reject('must begin with an allowed return URL of this client');
  return { clientId, returnUrl: parsed.url.href };
}

/**
 * Returns how a page may interact with the caller's site now. The page does not use an address that was removed from the lists of the
 * client.
 */
export async function findCallerSite(
  dependencies: AddressDependencies,
  requester: PageRequester | undefined,
): Promise<CallerSite> {
  if (!requester) return { frameOrigins: [] };
  const { returnUrls, origins } = await readAddresses(dependencies, requester.clientId);
  const inProduction = isProduction(dependencies);
  const frameOrigins = origins.filter((origin) => 'url' in parseOrigin(origin, inProduction));
  const { returnUrl } = requester;
  const mayReturn = returnUrl !== undefined && isListed(new URL(returnUrl), returnUrls, inProduction);
  return { frameOrigins, ...(mayReturn ? { returnUrl } : {}) };
}

/**
 * Returns the return URL with the result in its query. The result says what happened on the page. It is not signed, so it proves nothing.
 */
export function withResult(returnUrl: string, result: { transactionId: string; status: string }): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return url.href;
}

/** Reads the value of a cookie. Undefined if the request has no such cookie, or if its value does not match the pattern. */
export function readCookie(request: Request, cookieName: string, pattern: RegExp): string | undefined {
  return (request.get('cookie') ?? '')
    .split(';')
    .map((cookie) => cookie.trim().split('='))
    .find(([name, value = '']) => name === cookieName && pattern.test(value))?.[1];
}
