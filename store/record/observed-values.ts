import { createHmac } from 'node:crypto';
import { canonicalDocument } from '../../domain/transaction/document';
import type { ObservedKind } from '../../domain/scoring/evidence';
import { type PhoneNumber, toE164, type TransactionInput } from '../../domain/transaction/transaction';
import type { Keys } from '../../platform/keys/service-keys';
import { canonicalMailbox, normalizeText } from '../../messages/mailboxes';
import { canonicalPhone } from '../../messages/phone-numbers';

export type ObservationKey = Pick<Keys, 'observation'>;

/**
 * The circle of one tenant. A circle is a group of tenants that see the same observations: one tenant, or all tenants that share their
 * history.
 */
export const circleOfTenant = (tenant: string): string => `tenant/${tenant}`;

/**
 * The hash of a value in one circle: a UUID from the first 128 bits of an HMAC-SHA-256. Equal values in the same circle have the same
 * hash. In different circles, their hashes are different.
 */
export function hashObservedValue(
  keys: ObservationKey,
  circle: string,
  kind: ObservedKind | 'Reference',
  value: string,
): string {
  const hex = createHmac('sha256', keys.observation)
    .update(JSON.stringify([circle, kind, value]))
    .digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Normalizes data by which transactions are searched, so that different spellings become equal. Undefined if nothing is left. */
export const searchableValues = {
  Document: canonicalDocument,
  Phone: ({ phone }: { phone?: PhoneNumber }) => phone && canonicalPhone(toE164(phone)),
  Email: ({ email = '' }: Pick<TransactionInput, 'email'>) => canonicalMailbox(email),
  Identifier: ({ identifierId = '' }: Pick<TransactionInput, 'identifierId'>) =>
    normalizeText(identifierId) || undefined,
} satisfies Partial<Record<ObservedKind, (input: never) => string | undefined>>;

/** The kinds of data by which a transaction can be found. */
export type SearchedKind = keyof typeof searchableValues | 'Reference';

/** The data by which transactions can be searched. */
export type SearchedData =
  | { document: { documentType: string; document: string } }
  | { phone: PhoneNumber }
  | { email: string }
  | { identifierId: string }
  | { reference: string };

/** The kind of the searched data, and the hash of its value in the circle of the tenant. Undefined if the normalized value is empty. */
export function hashSearchedData(
  keys: ObservationKey,
  tenant: string,
  data: SearchedData,
): { kind: SearchedKind; hash: string } | undefined {
  const [kind, value] = normalizeSearchedData(data);
  return value === undefined ? undefined : { kind, hash: hashObservedValue(keys, circleOfTenant(tenant), kind, value) };
}

function normalizeSearchedData(data: SearchedData): readonly [SearchedKind, string | undefined] {
  if ('document' in data) return ['Document', searchableValues.Document(data.document)];
  if ('phone' in data) return ['Phone', searchableValues.Phone(data)];
  if ('email' in data) return ['Email', searchableValues.Email(data)];
  if ('reference' in data) return ['Reference', normalizeText(data.reference) || undefined];
  return ['Identifier', searchableValues.Identifier(data)];
}

/** The hash of the caller's own reference (`genericFields.reference`), for searches. Equal references do not link transactions. */
export const hashReference = (
  keys: ObservationKey,
  tenant: string,
  { genericFields }: Pick<TransactionInput, 'genericFields'>,
): string | undefined => hashSearchedData(keys, tenant, { reference: genericFields?.['reference'] ?? '' })?.hash;

/** The hash of a document, for searches in the transactions of a tenant. Undefined if the document has no letters and no digits. */
export function hashDocument(
  keys: ObservationKey,
  tenant: string,
  document: { documentType: string; document: string },
): string | undefined {
  const value = canonicalDocument(document);
  return value && hashObservedValue(keys, circleOfTenant(tenant), 'Document', value);
}
