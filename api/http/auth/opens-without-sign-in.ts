import type { Request } from 'express';
import type { Needs } from '../../dependencies';

/** The names of this machine in a URL. */
const localNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

const isLocalAddress = (address = '') => /^(?:::ffff:)?127\.|^::1$/.test(address);

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/**
 * Whether a page opens without sign-in. The environment must be `local`, PUBLIC_URL and the Host header must be local names, and the
 * request must come from this machine. The check of the Host header protects against DNS rebinding. The same check also protects a service
 * that is behind a proxy and has COUNTERSIGN_ENV=local by mistake.
 */
export function opensWithoutSignIn({ config }: Needs<'config'>, request: Request): boolean {
  const hostnames = [config.PUBLIC_URL, `http://${request.get('host') ?? ''}`].map(hostnameOf);
  return (
    config.COUNTERSIGN_ENV === 'local' &&
    isLocalAddress(request.socket.remoteAddress) &&
    hostnames.every((name) => name !== undefined && localNames.has(name))
  );
}
