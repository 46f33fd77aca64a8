import { createHash } from 'node:crypto';
import { drawingStyle } from '../../../domain/flows/diagrams';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import type { Scope } from '../../http/auth/scopes';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { type AppPage, sendAppPage } from '../../pages/app-page';

/** The hash of the style in the diagrams. The content security policy allows the style by this hash. */
const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

const page: AppPage<'flows'> = {
  folder: 'flows',
  titles: { 'pt-BR': 'Fluxos', en: 'Flows', es: 'Flujos' },
  // The style of the diagrams is the only inline style.
  sources: { 'style-src': `'self' 'sha256-${drawingHash}'` },
};

/** GET /flows: the page with the flows, their editor and their runs. */
export const showFlows: RawHandler = (dependencies, request, response) => {
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
export const openSession: RawHandler = async (dependencies, request, response) => {
  if (!opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  const caller = { clientId: 'flows-page', tenant, scopes: sessionScopes, clientVersion: 1 };
  const token = await dependencies.accessTokens.issue(caller, lifetimeSeconds);
  response.json({ token, expiresInSeconds: lifetimeSeconds });
};
