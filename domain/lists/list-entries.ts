/* The deny and allow lists of a tenant. Which entry decides: docs/fraud.md, and the functions of migration 0014_fraud. */

/** `deny`: no messages, and no transactions. `allow`: an exception from less specific entries, and from blocks of phone prefixes. */
export const listNames = ['deny', 'allow'] as const;
export type ListName = (typeof listNames)[number];

/** The kinds of values to which messages are sent. */
const destinationKinds = ['phone', 'prefix', 'country', 'mailbox', 'domain'] as const;
/** The kinds of values by which a person is denied. */
const personKinds = ['document', 'ip', 'network'] as const;

export const listKinds = [...destinationKinds, ...personKinds] as const;
export type ListKind = (typeof listKinds)[number];

/**
 * The maximum number of entries of a tenant. Lists are for exceptions that a person decides on: more entries are a sign of an automatic feed,
 * which belongs before the request to this service. A page of 100 entries reads the whole list in 100 requests.
 */
export const listEntriesPerTenant = 10_000;

const stars = (count: number) => '*'.repeat(Math.max(0, count));

/** The last two digits let a person recognize a phone or document. They fit thousands of others. */
const shownAtEnd = 2;

/** Shows the dial code and the last two digits of a phone in E.164. `dialCode`: undefined if the country is unknown. */
export function maskPhone(e164: string, dialCode = ''): string {
  const start = `+${dialCode}`;
  return `${start}${stars(e164.length - start.length - shownAtEnd)}${e164.slice(-shownAtEnd)}`;
}

/** Shows the first character and the domain of a mailbox. */
export function maskMailbox(localPart: string, domain: string): string {
  const [first = ''] = Array.from(localPart);
  return `${first}***@${domain}`;
}

/** Shows the type of a document and its last two characters. A document of four characters or fewer is not shown. */
export function maskDocument(documentType: string, document: string): string {
  const shown = document.length > 4 ? document.slice(-shownAtEnd) : '';
  return `${documentType} ${stars(document.length - shown.length)}${shown}`;
}

/** Shows the first half of an IPv4 address, or the first two groups of an IPv6 address. */
export const maskAddress = (address: string): string =>
  address.includes(':') ? `${address.split(':', 2).join(':')}:*` : `${address.split('.', 2).join('.')}.*.*`;
