import { createHmac } from 'node:crypto';
import { canonicalDocument } from '../../domain/check-digits';
import type { ObservedKind } from '../../domain/scoring/evidence';
import type { Keys } from '../../platform/keys/keys';

export type ObservationKey = Pick<Keys, 'observation'>;

/** The circle of one tenant in the link graph. */
export const circleOfTenant = (tenant: string): string => `tenant/${tenant}`;

/**
 * The hash of a value in one circle: a UUID from the first 128 bits of an HMAC-SHA-256. Equal for equal values in a circle, and unrelated
 * to those of another circle.
 */
export function hashObservedValue(keys: ObservationKey, circle: string, kind: ObservedKind, value: string): string {
  const hex = createHmac('sha256', keys.observation)
    .update(JSON.stringify([circle, kind, value]))
    .digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** The hash by which the transactions of a tenant are found by their document. Undefined if the number has no letters and digits. */
export function hashDocument(
  keys: ObservationKey,
  tenant: string,
  document: { documentType: string; document: string },
): string | undefined {
  const value = canonicalDocument(document);
  return value && hashObservedValue(keys, circleOfTenant(tenant), 'Document', value);
}
