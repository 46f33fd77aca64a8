import type { Relevance } from '../analysis-results';

/** How policies and explanations name a rule with its relevance, such as PH001.Positivo. */
export type RuleId = `${string}.${Relevance}`;

/** The thresholds of rules that compare a number, such as a count or an age. */
export interface Thresholds {
  /** Minimum number of documents with the same phone, e-mail, card, session or identifier for a finding. */
  sharedByDocuments: number;
  /** Another transaction counts only if it was created at most this many days before or after the transaction. */
  sharedWithinDays: number;
  /** Minimum number of transactions with the same phone or e-mail within `sharedWithinDays` days for a finding. */
  busyTransactions: number;
  /** Minimum number for a finding: phones, e-mail addresses or cards of one document, or cards of one session. */
  contactsOfDocument: number;
  /** Minimum likeness of mailbox and name for a finding, 0 to 1. */
  mailboxResembles: number;
  /** Likeness of the names of card owner and person: same from `ownerNameSame` on, different below `ownerNameOther`. */
  ownerNameSame: number;
  ownerNameOther: number;
  /** The accepted ages, in years. */
  ageMin: number;
  ageMax: number;
}

/** The points and thresholds of a tenant, as data. Every explanation names its version. */
export interface Policy {
  version: string;
  /** Points before any finding, 0 to 100. */
  base: number;
  /**
   * The points of each rule: 0 or more for Positivo, 0 or less for Negativo, 0 for Neutro. So better evidence never lowers a score.
   * A rule that is not listed is not used.
   */
  points: Readonly<Record<RuleId, number>>;
  /** Points of a bureau finding that `points` does not list. */
  bureau: { Positivo: number; Negativo: number };
  thresholds: Thresholds;
  /** Whose transactions give evidence. `own`: only this tenant's. `shared`: also those of other tenants that have `shared`. */
  history: 'own' | 'shared';
}
