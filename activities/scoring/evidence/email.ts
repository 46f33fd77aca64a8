import disposableDomains from 'disposable-email-domains/index.json';
import disposableWildcards from 'disposable-email-domains/wildcard.json';
import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { mailDomainOf, splitEmail } from '../../../messages/mailboxes';
import { mailboxResemblance } from '../mailbox-resemblance';

/** Domains of disposable mailboxes. Their subdomains do not count as disposable. */
const exactDisposableDomains = new Set<string>(disposableDomains);
/** Domains of disposable mailboxes. All their subdomains count as disposable too. */
const disposableWithSubdomains = new Set<string>(disposableWildcards);

/** Finds evidence in the mail address of a transaction. Undefined if there is no address, or nothing in front of its `@`. */
export function findEmail({ email, name }: TransactionInput): Evidence['email'] {
  const parts = splitEmail(email ?? '');
  if (email === undefined || parts === undefined) return undefined;
  const { localPart, host } = parts;
  const resemblesName = name ? mailboxResemblance(localPart, name) : undefined;
  return {
    disposable: isDisposable(mailDomainOf(email) ?? host.toLowerCase()),
    ...(resemblesName === undefined ? {} : { resemblesName }),
    syntax: [localPart, host].some(hasOddDots) ? 'invalid' : 'valid',
  };
}

/** Whether a part of an address begins or ends with a dot, or has two dots in a row. Mail addresses must not have such dots. */
const hasOddDots = (part: string) => /^\.|\.$|\.\./.test(part);

/** Whether a domain gives temporary (disposable) mailboxes to everybody. */
function isDisposable(domain: string): boolean {
  if (exactDisposableDomains.has(domain)) return true;
  const labels = domain.split('.');
  return labels.some((_, index) => disposableWithSubdomains.has(labels.slice(index).join('.')));
}
