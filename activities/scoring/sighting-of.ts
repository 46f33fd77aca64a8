import { createHmac } from 'node:crypto';
import type { LinkVariable } from '../../domain/scoring/evidence';
import type { Sighting } from '../../domain/scoring/sighting';
import { toE164, type TransactionInput } from '../../domain/transaction';
import type { Keys } from '../../platform/keys';
import { domainOf } from './evidence/email';
import type { Subject } from './history';
import { personNames } from './person-names';

/** Names of one mail service, which takes no notice of dots in a mailbox. */
const gmail = new Set(['gmail.com', 'googlemail.com']);

/** What all addresses of one mailbox have in common: without a tag, in lower case, the domain as DNS knows it. */
function mailboxOf({ email = '' }: TransactionInput): string | undefined {
  const domain = domainOf(email);
  const [untagged = ''] = email.slice(0, email.lastIndexOf('@')).trim().normalize('NFC').toLowerCase().split('+');
  const box = domain && gmail.has(domain) ? untagged.replaceAll('.', '') : untagged;
  if (!box || !domain) return undefined;
  return `${box}@${gmail.has(domain) ? 'gmail.com' : domain}`;
}

function documentOf({ documentType, document }: TransactionInput): string | undefined {
  const plain = document.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return plain ? `${documentType.trim().toUpperCase()} ${plain}` : undefined;
}

function postalCodeOf({ address }: TransactionInput): string | undefined {
  const digits = address?.zipCode?.replace(/\D/g, '') ?? '';
  return digits.length === 8 ? digits : undefined;
}

/** One name alone is of too many people to link any two. */
function nameOf({ name }: TransactionInput): string | undefined {
  const names = personNames(name ?? '');
  return names.length >= 2 ? names.toSorted().join(' ') : undefined;
}

/** Issuers write BINs with six digits or with eight: the six are in both. */
function cardOf({ card }: TransactionInput): string | undefined {
  return card?.bin && card.last4 ? `${card.bin.slice(0, 6)} ${card.last4}` : undefined;
}

/** The form in which values of a variable are compared, however they were written; undefined when nothing is left. */
const comparable: Record<LinkVariable, (input: TransactionInput) => string | undefined> = {
  Document: documentOf,
  Phone: ({ phone }) => phone && toE164(phone),
  Email: mailboxOf,
  ZipCode: postalCodeOf,
  Card: cardOf,
  Name: nameOf,
  Session: ({ sessionId }) => sessionId?.trim() || undefined,
  Identifier: ({ identifierId }) => identifierId?.trim() || undefined,
};

/**
 * The sighting of a transaction in one circle, nothing confirmed or denied yet. Values are UUIDs made of the first 128
 * bits of an HMAC-SHA-256: equal for equal values of one circle, and without relation to those of another.
 */
export function sightingOf(keys: Pick<Keys, 'sighting'>, subject: Subject, circle: string): Sighting {
  const { tenant, id, input, createdAt } = subject;
  const values = Object.entries(comparable).flatMap(([variable, read]) => {
    const value = read(input);
    return value === undefined ? [] : [[variable, hash(keys.sighting, [circle, variable, value])] as const];
  });
  return {
    tenant,
    transactionId: id,
    at: createdAt,
    values: Object.fromEntries(values),
    confirmed: { phone: false, email: false },
    denied: false,
  };
}

function hash(key: Buffer, parts: readonly string[]): string {
  const hex = createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
