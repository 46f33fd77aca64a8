import type { Request } from 'express';
import type { Scope } from '../../http/auth/scopes';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';

/** What the page reads, and no more: whoever sits at the machine can read it in the inbox and in the database too. */
const scopes: Scope[] = ['flows:read', 'transaction:read'];
const lifetimeSeconds = 900;

/** The tenant of `npm start`. */
const tenant = 'local';

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);
const isOwnAddress = (address = '') => /^(?:::ffff:)?127\.|^::1$/.test(address);

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/**
 * Whether the page is open to who asks: the environment is local, the service is known by an address of this machine
 * only, and the request comes from this machine by such an address. The last keeps out pages of other sites whose name
 * leads here, and everybody behind a proxy of a service whose environment was forgotten.
 */
export function isOpenTo({ config }: Pick<Dependencies, 'config'>, request: Request): boolean {
  const names = [config.PUBLIC_URL, `http://${request.get('host') ?? ''}`].map(hostnameOf);
  return (
    config.COUNTERSIGN_ENV === 'local' &&
    isOwnAddress(request.socket.remoteAddress) &&
    names.every((name) => name !== undefined && ownNames.has(name))
  );
}

/** GET /flows/session: a token for the page on one's own machine. Throws not_found everywhere else. */
export const openSession: Serve = async (dependencies, request, response) => {
  if (!isOpenTo(dependencies, request)) throw new Problem('not_found');
  const token = await dependencies.tokens.issue({ clientId: 'flows-page', tenant, scopes }, lifetimeSeconds);
  response.set('Cache-Control', 'no-store').json({ token, expiresInSeconds: lifetimeSeconds });
};
