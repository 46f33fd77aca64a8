import { domainToASCII } from 'node:url';
import disposableDomains from 'disposable-email-domains/index.json';
import disposableWildcards from 'disposable-email-domains/wildcard.json';
import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { mailboxResemblance } from '../mailbox-resemblance';

const exactDisposableDomains = new Set<string>(disposableDomains);
const disposableWithSubdomains = new Set<string>(disposableWildcards);

/** Evidence from a mail address itself. Undefined without a mailbox or an at sign. */
export function findEmail({ email, name }: TransactionInput): Evidence['email'] {
  const { mailbox, host } = partsOf(email ?? '') ?? {};
  if (mailbox === undefined || host === undefined) return undefined;
  const resemblesName = name ? mailboxResemblance(mailbox, name) : undefined;
  return {
    disposable: isDisposable(toAscii(host) ?? host.toLowerCase()),
    ...(resemblesName === undefined ? {} : { resemblesName }),
    syntax: [mailbox, host].some(hasOddDots) ? 'invalid' : 'valid',
  };
}

/** The domain of a mail address in the form of DNS: lower case, ASCII. Undefined if it cannot be looked up. */
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

/** Whether the domain gives temporary mailboxes to anyone. */
function isDisposable(domain: string): boolean {
  if (exactDisposableDomains.has(domain)) return true;
  const labels = domain.split('.');
  return labels.some((_, index) => disposableWithSubdomains.has(labels.slice(index).join('.')));
}
