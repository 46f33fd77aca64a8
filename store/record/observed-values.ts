import { createHmac } from 'node:crypto';
import { canonicalDocument } from '../../domain/check-digits';
import type { ObservedKind } from '../../domain/scoring/evidence';
import { type PhoneNumber, toE164, type TransactionInput } from '../../domain/transaction';
import type { Keys } from '../../platform/keys/keys';
import { canonicalMailbox, normalizeText } from '../../platform/mailbox';

export type ObservationKey = Pick<Keys, 'observation'>;

/**
 * The circle of one tenant. A circle is a group of tenants that see the same observations: one tenant, or all tenants that share their
 * history.
 */
export const circleOfTenant = (tenant: string): string => `tenant/${tenant}`;

/**
 * The hash of a value in one circle: a UUID from the first 128 bits of an HMAC-SHA-256. Equal for equal values in a circle.
 * Unrelated to the hash of the same value in another circle.
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

/** Brazilian mobile numbers had eight digits before a 9 was added in front. Some people still leave out the 9. */
function canonicalPhone({ phone }: { phone?: PhoneNumber }): string | undefined {
  if (!phone) return undefined;
  const isOldMobile = phone.countryCode === 55 && /^[6-9]\d{7}$/.test(String(phone.number));
  return toE164(isOldMobile ? { ...phone, number: Number(`9${phone.number}`) } : phone);
}

/** Normalizes data by which transactions are searched, so that different spellings become equal. Undefined if nothing is left. */
export const searchableValues = {
  Document: canonicalDocument,
  Phone: canonicalPhone,
  Email: ({ email = '' }: Pick<TransactionInput, 'email'>) => canonicalMailbox(email),
  Identifier: ({ identifierId = '' }: Pick<TransactionInput, 'identifierId'>) =>
    normalizeText(identifierId) || undefined,
} satisfies Partial<Record<ObservedKind, (input: never) => string | undefined>>;

/** What a transaction can be found by. */
export type SearchedKind = keyof typeof searchableValues | 'Reference';

/** The data by which transactions can be searched. */
export type SearchedData =
  | { document: { documentType: string; document: string } }
  | { phone: PhoneNumber }
  | { email: string }
  | { identifierId: string }
  | { reference: string };

/** The kind of a search, and the hash of its value in a tenant. Undefined if nothing is left of the value. */
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

/** The hash by which a caller finds a transaction by its own reference. Unlike an identifier, it links no transactions. */
export const hashReference = (
  keys: ObservationKey,
  tenant: string,
  { genericFields }: Pick<TransactionInput, 'genericFields'>,
): string | undefined => hashSearchedData(keys, tenant, { reference: genericFields?.['reference'] ?? '' })?.hash;

/** The hash by which the transactions of a tenant are found by their document. Undefined if the number has no letters and digits. */
export function hashDocument(
  keys: ObservationKey,
  tenant: string,
  document: { documentType: string; document: string },
): string | undefined {
  const value = canonicalDocument(document);
  return value && hashObservedValue(keys, circleOfTenant(tenant), 'Document', value);
}
