import { createHmac } from 'node:crypto';
import type { ObservedKind } from '../../domain/scoring/evidence';
import { namesWithoutParticles } from '../../domain/scoring/name-words';
import { canonicalDocument, type PhoneNumber, toE164, type TransactionInput } from '../../domain/transactions/input';
import type { InitialTransaction } from '../../domain/transactions/state';
import { canonicalMailbox, normalizeText } from '../../messages/mailboxes';
import { canonicalPhone } from '../../messages/phone-numbers';
import type { Keys } from '../../platform/keys/service-keys';
import type { CircleObservation } from './observations.sql';

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

function postalCodeOf({ address }: TransactionInput): string | undefined {
  const digits = address?.zipCode?.replace(/\D/g, '') ?? '';
  return digits.length === 8 ? digits : undefined;
}

/** A name of one word is too common to link two transactions. */
function nameOf({ name }: TransactionInput): string | undefined {
  const names = namesWithoutParticles(name ?? '');
  return names.length >= 2 ? names.toSorted().join(' ') : undefined;
}

/** The first six digits of the BIN and the last four digits of the card. Callers send BINs of six or eight digits, so only six count. */
function cardOf({ card }: TransactionInput): string | undefined {
  return card?.bin && card.last4 ? `${card.bin.slice(0, 6)} ${card.last4}` : undefined;
}

/** Reads and normalizes the value of each kind of data, so that different spellings become equal. Undefined without a usable value. */
const normalizers: Record<ObservedKind, (input: TransactionInput) => string | undefined> = {
  ...searchableValues,
  ZipCode: postalCodeOf,
  Card: cardOf,
  Name: nameOf,
  Session: ({ sessionId = '' }) => normalizeText(sessionId) || undefined,
};

/** The circle of all tenants that share their history. */
export const sharedCircle = 'shared';

/**
 * The observation of a new transaction, whose person has confirmed and denied nothing. `circle`: the tenants that can read the
 * observation, which are one tenant, or all tenants that share their history. Only the former can search by the caller's own reference.
 */
export function observationOf(
  keys: ObservationKey,
  { tenant, id, input, createdAt }: InitialTransaction,
  circle: string,
): CircleObservation {
  const values = Object.entries(normalizers).flatMap(([kind, normalize]) => {
    const value = normalize(input);
    return value === undefined ? [] : [[kind, hashObservedValue(keys, circle, kind as ObservedKind, value)] as const];
  });
  const reference = circle === sharedCircle ? undefined : hashReference(keys, tenant, input);
  return {
    circle,
    tenant,
    transactionId: id,
    at: createdAt,
    values: Object.fromEntries(values),
    confirmed: { phone: false, email: false },
    denied: false,
    ...(reference === undefined ? {} : { reference }),
  };
}
