import type { LinkVariable } from './evidence';

/** What one transaction leaves in the graph of links. Values are keyed hashes: the graph holds no personal data. */
export interface Observation {
  tenant: string;
  transactionId: string;
  /** When the transaction was created, ISO 8601. */
  at: string;
  values: Partial<Record<LinkVariable, string>>;
  /** What its person confirmed or denied, as far as it is known by now. */
  confirmed: { phone: boolean; email: boolean };
  denied: boolean;
}
