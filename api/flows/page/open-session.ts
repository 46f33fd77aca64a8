import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import type { Scope } from '../../http/auth/scopes';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';

/** The page can only read. Anyone on this machine can read the inbox and the database anyway. */
const scopes: Scope[] = ['flows:read', 'transaction:read'];
const lifetimeSeconds = 900;

/** The tenant of `npm start`. */
const tenant = 'local';

/** GET /flows/session: an access token for the page on a local machine. Throws not_found everywhere else. */
export const openSession: RawHandler = async (dependencies, request, response) => {
  if (!opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  const caller = { clientId: 'flows-page', tenant, scopes, clientVersion: 1 };
  const token = await dependencies.accessTokens.issue(caller, lifetimeSeconds);
  response.json({ token, expiresInSeconds: lifetimeSeconds });
};
