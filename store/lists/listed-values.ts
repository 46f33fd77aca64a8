import { type ListKind, maskAddress, maskDocument, maskMailbox, maskPhone } from '../../domain/lists/list-entries';
import { type PhoneNumber, toE164, type TransactionInput } from '../../domain/transactions/input';
import { hashDestination, keyedHash } from '../../messages/codes';
import { domainsAbove, mailDomainOf, splitEmail } from '../../messages/mailboxes';
import { dialCodeOf } from '../../messages/phone-numbers';
import { locateAddress } from '../../platform/ip-addresses';
import type { Keys } from '../../platform/keys/service-keys';
import { hashDocument } from '../transactions/observed-values';

/** A value for a list. Each is normalized already: see the body of POST /v1/lists. */
export type ListedData =
  | { kind: 'phone'; phone: PhoneNumber }
  | { kind: 'prefix'; prefix: string }
  | { kind: 'country'; country: string }
  | { kind: 'mailbox'; email: string }
  | { kind: 'domain'; domain: string }
  | { kind: 'document'; documentType: string; document: string }
  | { kind: 'ip'; ip: string }
  | { kind: 'network'; network: string };

/** What an entry saves about its value. `value`: what it matches, which is a keyed hash for personal data. `shown`: what callers read. */
export interface ListedValue {
  kind: ListKind;
  value: string;
  shown: string;
}

const hashAddress = (keys: Keys, tenant: string, customer: string) =>
  keyedHash(keys, 'listedAddress', tenant, customer);

/** Describes a value for its entry. Equal values of a tenant have equal descriptions, in whichever spelling they arrive. */
export function describeListed(keys: Keys, tenant: string, data: ListedData): ListedValue {
  const { kind } = data;
  if (kind === 'phone') {
    const e164 = toE164(data.phone);
    return { kind, value: hashDestination(keys, e164), shown: maskPhone(e164, dialCodeOf(e164)) };
  }
  if (kind === 'mailbox') {
    const { localPart = '' } = splitEmail(data.email) ?? {};
    const shown = maskMailbox(localPart, mailDomainOf(data.email) ?? '');
    return { kind, value: hashDestination(keys, data.email), shown };
  }
  if (kind === 'document') {
    // A document has a letter or digit, so it always has a hash.
    const value = hashDocument(keys, tenant, data) ?? '';
    return { kind, value, shown: maskDocument(data.documentType, data.document) };
  }
  if (kind === 'ip') {
    const { customer } = locateAddress(data.ip);
    return { kind, value: hashAddress(keys, tenant, customer), shown: maskAddress(customer) };
  }
  const value = clearValueOf(data);
  return { kind, value, shown: value };
}

/** The value of a kind that is saved in clear. */
function clearValueOf(data: Extract<ListedData, { kind: 'prefix' | 'country' | 'domain' | 'network' }>): string {
  if (data.kind === 'prefix') return data.prefix;
  if (data.kind === 'country') return data.country;
  return data.kind === 'domain' ? data.domain : data.network;
}

/** The values by which the person of a new transaction can be on a list, the most specific first: document, IP address, and its networks. */
export function personValues(
  keys: Keys,
  tenant: string,
  input: Pick<TransactionInput, 'documentType' | 'document' | 'endUserIp'>,
): string[] {
  const document = hashDocument(keys, tenant, input);
  if (input.endUserIp === undefined) return document === undefined ? [] : [document];
  const { customer, networks } = locateAddress(input.endUserIp);
  return [...(document === undefined ? [] : [document]), hashAddress(keys, tenant, customer), ...networks];
}

/** The domains by which a mailbox can be on a list: its own and those above. Empty for a phone. */
export const listedDomainsOf = (destination: string): string[] => domainsAbove(mailDomainOf(destination) ?? '');
