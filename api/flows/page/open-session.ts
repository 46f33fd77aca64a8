import type { Request } from 'express';
import type { Scope } from '../../http/auth/scopes';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';

/** The page can only read. Anyone on this machine can read the inbox and the database anyway. */
const scopes: Scope[] = ['flows:read', 'transaction:read'];
const lifetimeSeconds = 900;

/** The tenant of `npm start`. */
const tenant = 'local';

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]']);
const isLocalAddress = (address = '') => /^(?:::ffff:)?127\.|^::1$/.test(address);

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/**
 * Whether the page opens without sign-in: the environment is local, PUBLIC_URL and the Host header are local names, and the
 * request comes from this machine. The check of the Host header protects against DNS rebinding. It also protects a service that
 * is behind a proxy but has COUNTERSIGN_ENV=local by mistake.
 */
export function opensWithoutSignIn({ config }: Pick<Dependencies, 'config'>, request: Request): boolean {
  const hostnames = [config.PUBLIC_URL, `http://${request.get('host') ?? ''}`].map(hostnameOf);
  return (
    config.COUNTERSIGN_ENV === 'local' &&
    isLocalAddress(request.socket.remoteAddress) &&
    hostnames.every((name) => name !== undefined && localNames.has(name))
  );
}

/** GET /flows/session: an access token for the page on a local machine. Throws not_found everywhere else. */
export const openSession: RawHandler = async (dependencies, request, response) => {
  if (!opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  const caller = { clientId: 'flows-page', tenant, scopes, clientVersion: 1 };
  const token = await dependencies.accessTokens.issue(caller, lifetimeSeconds);
  response.json({ token, expiresInSeconds: lifetimeSeconds });
};
