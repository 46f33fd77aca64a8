import type { ObservedKind } from './evidence';

/** One transaction in the link graph. Its values are keyed hashes, so the graph has no personal data. */
export interface Observation {
  tenant: string;
  transactionId: string;
  /** When the transaction was created, ISO 8601. */
  at: string;
  values: Partial<Record<ObservedKind, string>>;
  /** What the person has confirmed or denied so far. */
  confirmed: { phone: boolean; email: boolean };
  denied: boolean;
}
