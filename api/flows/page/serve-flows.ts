import { createHash } from 'node:crypto';
import { drawingStyle } from '../../../domain/flows/flow-to-dot';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import type { Scope } from '../../http/auth/scopes';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { createPageWithSignIn } from '../../pages/page-with-sign-in';

const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

const page = createPageWithSignIn({
  folder: 'flows',
  title: 'Flows',
  script: 'flows.mjs',
  styles: ['flows.css', 'drawing.css'],
  signIn: 'Sign in to see flows',
  lead: 'Use a client with the scope flows:read. To see runs, the client also needs transaction:read.',
  // The style of the diagrams is the only inline style.
  sources: { 'style-src': `'self' 'sha256-${drawingHash}'` },
});

/** GET /flows: the page with the flows and their runs. */
export const showFlows: RawHandler = (dependencies, request, response) => {
  page.send(response, dependencies.config.BRAND, opensWithoutSignIn(dependencies, request) ? { open: '' } : {});
};

export const showFlowsAsset = page.showAsset;

/** The page can only read. Anyone on this machine can read the inbox and the database anyway. */
const sessionScopes: Scope[] = ['flows:read', 'transaction:read'];
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
