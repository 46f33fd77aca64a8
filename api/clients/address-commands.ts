import { parseOrigin, parseReturnUrlPrefix } from '../../platform/ip-addresses';
import { addAddress, addressesPerKindMax, type AddressKind, removeAddress } from './client-addresses.sql';
import { type Command, unknownClient } from './command';

/** For each kind of address: its option of the command line (`option`), and its name in messages (`text`). */
const names: Record<AddressKind, { option: string; text: string }> = {
  return_url: { option: '--url', text: 'return URL' },
  origin: { option: '--origin', text: 'origin' },
};

/**
 * Returns the address in the form in which it is stored. Throws Error for an invalid address. Accepts local addresses too, because the
 * command does not know the environment of the service. In production, hosted pages use no local address.
 */
function readAddress(kind: AddressKind, text: string): string {
  const parsed = kind === 'origin' ? parseOrigin(text, false) : parseReturnUrlPrefix(text, false);
  if ('issue' in parsed) throw new Error(`${names[kind].option} ${parsed.issue}.`);
  return kind === 'origin' ? parsed.url.origin : parsed.url.href;
}

/** A command that adds an address of the client's own site. */
export function allowCommand(clientId: string, kind: AddressKind, text: string): Command {
  const address = readAddress(kind, text);
  return async (pool) => {
    const result = await addAddress(pool, clientId, kind, address);
    if (result === 'unknown') throw unknownClient(clientId);
    if (result === 'full')
      throw new Error(`${clientId} already has ${addressesPerKindMax} ${names[kind].text}s. Remove one first.`);
    return `${clientId} may use the ${names[kind].text} ${address}\n`;
  };
}

/** A command that removes an address of the client's own site. A page that is open now can use the address until its next request. */
export function disallowCommand(clientId: string, kind: AddressKind, text: string): Command {
  const address = readAddress(kind, text);
  return async (pool) => {
    if (!(await removeAddress(pool, clientId, kind, address)))
      throw new Error(`${clientId} has no ${names[kind].text} ${address}. npm run client -- list shows all.`);
    return `${clientId} may no longer use the ${names[kind].text} ${address}\n`;
  };
}
