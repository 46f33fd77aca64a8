import type { Request } from 'express';
import { isLoopback } from '../../platform/ip-addresses';
import type { Dependencies, Needs } from '../dependencies';
import { isFromOrigin, readCookie } from '../http/caller-site';
import type { Caller, Scope } from '../http/auth/access-tokens';
import { authenticate } from '../http/auth/authenticate';
import { Problem } from '../http/problem';
import { type ApiRoute, type Handler, type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { type AppPage, sendAppPage } from '../pages/app-page';
import { opensWithoutSignIn } from '../http/auth/opens-without-sign-in';
import { z } from 'zod';
import { named } from '../http/openapi/schema-of';

export const decodePath = '/v1/codec/decode';

export const decodeScope: Scope = 'operator:decode';

const cookieName = 'countersign_codec';

const cookiePattern = /^[\w.-]+$/;

/** A sign-in can last an hour: an operator who searches for the cause of a problem reads several histories. */
const sessionSeconds = 3_600;

/**
 * The caller on a local stack, where nobody signs in. This is safe: a person on this machine can read the keys and the database even
 * without the API.
 */
const localOperator: Caller = { clientId: 'temporal-ui', tenant: 'local', scopes: [decodeScope], clientVersion: 1 };

/** Whether the request is from the Temporal UI of a local stack on which operators need no sign-in to read payloads. */
function isLocalUi({ config }: Needs<'config'>, request: Request): boolean {
  const { TEMPORAL_UI_CLEAR_TEXT, TEMPORAL_UI_URL } = config;
  return (
    TEMPORAL_UI_CLEAR_TEXT &&
    TEMPORAL_UI_URL !== undefined &&
    isLoopback(new URL(TEMPORAL_UI_URL).hostname) &&
    opensWithoutSignIn({ config }, request)
  );
}

/**
 * The operator of a request that the Temporal UI sends without an access token. This is the person who has signed in at /codec/sign-in. On
 * a local stack, nobody needs to sign in. Browsers send the origin of the page with each request. Requests from pages of another origin
 * than the Temporal UI have no operator.
 */
export async function findOperator(
  dependencies: Needs<'accessTokens' | 'clientVersions' | 'config'>,
  request: Request,
): Promise<Caller | undefined> {
  const { config, accessTokens, clientVersions } = dependencies;
  if (request.get('authorization') !== undefined || !isFromOrigin(config.TEMPORAL_UI_URL, request)) return undefined;
  const token = readCookie(request, cookieName, cookiePattern);
  const caller = token === undefined ? undefined : await accessTokens.verify(token);
  if (caller && clientVersions.isCurrent(caller)) return caller;
  return isLocalUi(dependencies, request) ? localOperator : undefined;
}

/** The Set-Cookie header for an access token. An empty token signs out. */
function cookieOf({ PUBLIC_URL }: Dependencies['config'], token: string, seconds: number): string {
  const isHttps = PUBLIC_URL.startsWith('https:');
  return [
    ...[`${cookieName}=${token}`, `Max-Age=${seconds}`, `Path=${decodePath}`, 'HttpOnly', 'SameSite=Strict'],
    ...(isHttps ? ['Secure'] : []),
  ].join('; ');
}

/**
 * The Set-Cookie header that signs out. Every response with the sign-in page has it, because a person opens this page to sign in or out.
 * The button "Sign out" loads the page again.
 */
export const signedOutCookie = (config: Dependencies['config']): string => cookieOf(config, '', 0);

/**
 * POST /v1/codec/session: sets a cookie that browsers send only to the codec server. The cookie holds an access token with one scope. This
 * token expires no later than the access token of the request. If the client is changed or revoked, the token becomes invalid. Scripts
 * cannot read the cookie, and pages of other sites cannot send it. Throws unauthorized for a token of the outside issuer, which needs no
 * cookie: the Temporal UI sends such a token itself.
 */
export const openSession: Handler<'accessTokens' | 'clientVersions' | 'config' | 'outsideIssuer'> = async ({
  dependencies,
  request,
}) => {
  const { accessTokens, config } = dependencies;
  const { clientVersion, expiresAt, ...caller } = await authenticate(dependencies, request);
  if (clientVersion === undefined || expiresAt === undefined) throw new Problem('unauthorized');
  const secondsLeft = expiresAt - Math.floor(Date.now() / 1_000);
  const seconds = Math.min(sessionSeconds, accessTokens.lifetimeSeconds, secondsLeft);
  const token = await accessTokens.issue({ ...caller, clientVersion, expiresAt, scopes: [decodeScope] }, seconds);
  return {
    status: 200,
    headers: { 'Set-Cookie': cookieOf(config, token, seconds) },
    body: { expiresInSeconds: seconds },
  };
};

const page: AppPage<'codec'> = {
  folder: 'codec',
  titles: { 'pt-BR': 'Temporal UI', en: 'Temporal UI', es: 'Temporal UI' },
};

/** GET /codec/sign-in: the page on which operators sign in. Throws not_found without TEMPORAL_UI_URL. */
export const showSignIn: RawHandler<'builtPages' | 'config'> = (dependencies, request, response) => {
  const { config } = dependencies;
  if (config.TEMPORAL_UI_URL === undefined) throw new Problem('not_found');
  response.set('Set-Cookie', signedOutCookie(config));
  sendAppPage(dependencies, request, response, page, { uiUrl: config.TEMPORAL_UI_URL });
};

const session = named('CodecSession', z.strictObject({ expiresInSeconds: z.int() }), { expiresInSeconds: 3600 });

/** Sessions of operators in the Temporal UI; not in SPEC. */
export const codecSessionRoutes: readonly ApiRoute[] = [
  {
    operationId: 'openCodecSession',
    method: 'post',
    path: '/v1/codec/session',
    scope: decodeScope,
    summary: 'Let the Temporal UI in this browser decrypt payloads for an hour; only for operators',
    responses: { 200: session },
    responseHeaders: ['Set-Cookie'],
    handler: openSession,
  },
];

/** The page on which operators sign in. */
export const codecPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/codec/sign-in', showSignIn)];
