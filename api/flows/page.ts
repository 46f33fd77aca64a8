import express from 'express';
import { createHash } from 'node:crypto';
import { drawingStyle } from '../../domain/flows/diagrams';
import { opensWithoutSignIn } from '../http/auth/opens-without-sign-in';
import type { Scope } from '../http/auth/access-tokens';
import { Problem } from '../http/problem';
import { type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { type AppPage, sendAppPage } from '../pages/app-page';
import { isUtf8Json, runBodyParser } from '../http/body/read-json';

/** The hash of the style in the diagrams. The content security policy allows the style by this hash. */
const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

const page: AppPage<'flows'> = {
  folder: 'flows',
  titles: { 'pt-BR': 'Fluxos', en: 'Flows', es: 'Flujos' },
  // The style of the diagrams is the only inline style.
  sources: { 'style-src': `'self' 'sha256-${drawingHash}'` },
};

/** GET /flows: the page with the flows, their editor and their runs. */
export const showFlows: RawHandler<'builtPages' | 'config'> = (dependencies, request, response) => {
  const isLocal = opensWithoutSignIn(dependencies, request);
  const canSimulate = isLocal && dependencies.config.FLOW_SIMULATOR_URL !== undefined;
  sendAppPage(dependencies, request, response, page, { opensWithoutSignIn: isLocal, canSimulate });
};

/**
 * The scopes of the token for the page on a local machine. They add no risk: anyone on this machine can already use the inbox and the
 * database, and get a token of the tenant.
 */
const sessionScopes: Scope[] = ['flows:read', 'flows:write', 'transaction:read'];

/** Lifetime of the token for the page. */
const lifetimeSeconds = 900;

/** The tenant of `npm start`. */
const tenant = 'local';

/** GET /flows/session: an access token for the page on a local machine. Throws not_found everywhere else. */
export const openSession: RawHandler<'accessTokens' | 'config'> = async (dependencies, request, response) => {
  if (!opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  const caller = { clientId: 'flows-page', tenant, scopes: sessionScopes, clientVersion: 1 };
  const token = await dependencies.accessTokens.issue(caller, lifetimeSeconds);
  response.json({ token, expiresInSeconds: lifetimeSeconds });
};

/** Maximum size of a request. It is enough for the largest flow with every character escaped, and for its scenarios. */
const requestBytesMax = 512 * 1024;

/** Maximum time of a simulation. The first simulation starts a server, and each scenario takes about a second. */
const timeoutMs = 120_000;

/**
 * POST /flows/simulations: simulates a flow on the local stack. The flow runs in the real workflow, on a test server that skips waiting
 * times (dev/flow/simulator). Throws not_found if there is no simulator, as in production. Also throws not_found for requests from other
 * machines.
 */
export const simulateFlow: RawHandler<'config'> = async (dependencies, request, response) => {
  const { FLOW_SIMULATOR_URL: url } = dependencies.config;
  if (url === undefined || !opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  // Other content types are rejected, because browsers let any web page send some of them without asking for permission (CORS).
  if (!isUtf8Json(request)) throw new Problem('unsupported_media_type');
  const parser = express.raw({ type: () => true, limit: requestBytesMax });
  const body = (await runBodyParser(parser, request, response)) as Buffer<ArrayBuffer>;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  if (!answer) throw new Problem('service_unavailable');
  response.status(answer.status).type(answer.headers.get('content-type') ?? 'application/json');
  response.set('Cache-Control', 'no-store').end(await answer.text());
};

/** The page of the flows, and the two requests that only this page sends, on a local machine. */
export const flowPages: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/flows/session', openSession),
  undocumentedRoute('post', '/flows/simulations', simulateFlow),
  undocumentedRoute('get', '/flows', showFlows),
];
