import { domainToASCII } from 'node:url';
import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { resemblance } from '../name-resemblance';
import { isDisposable } from '../tables/disposable-domains';

/** What a mail address tells by itself. Undefined when it has no mailbox or no at sign. */
export function findEmail({ email, name }: TransactionInput): Evidence['email'] {
  const { mailbox, host } = partsOf(email ?? '') ?? {};
  if (mailbox === undefined || host === undefined) return undefined;
  const resemblesName = name ? resemblance(mailbox, name) : undefined;
  return {
    disposable: isDisposable(toAscii(host) ?? host.toLowerCase()),
    ...(resemblesName === undefined ? {} : { resemblesName }),
    syntax: [mailbox, host].some(hasOddDots) ? 'odd' : 'sound',
  };
}

/** The domain of a mail address as DNS knows it: lower case, ASCII. Undefined when it has none that could be looked up. */
export function domainOf(email: string): string | undefined {
  const { host } = partsOf(email) ?? {};
  return host === undefined ? undefined : toAscii(host);
}

function partsOf(email: string): { mailbox: string; host: string } | undefined {
  const at = email.lastIndexOf('@');
  return at < 1 ? undefined : { mailbox: email.slice(0, at), host: email.slice(at + 1).trim() };
}

const toAscii = (host: string) => domainToASCII(host) || undefined;

const hasOddDots = (part: string) => /^\.|\.$|\.\./.test(part);
