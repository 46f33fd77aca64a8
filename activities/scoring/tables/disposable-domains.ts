import domains from 'disposable-email-domains/index.json';
import wildcards from 'disposable-email-domains/wildcard.json';

const exact = new Set<string>(domains);
const withSubdomains = new Set<string>(wildcards);

/** Whether mailboxes of a domain are given to anyone for some minutes. */
export function isDisposable(domain: string): boolean {
  if (exact.has(domain)) return true;
  const labels = domain.split('.');
  return labels.some((_, index) => withSubdomains.has(labels.slice(index).join('.')));
}
