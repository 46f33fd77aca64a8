import type { Relevance } from '../analysis-results';

/** How policies and explanations name a rule with its relevance, such as PH001.Positivo. */
export type RuleId = `${string}.${Relevance}`;

/** The thresholds of rules that compare a number, such as a count or an age. */
export interface Thresholds {
  /** A finding needs at least this many documents with the same phone, e-mail address, card, session or identifier. */
  sharedByDocuments: number;
  /** Another transaction counts only if it was created at most this many days before or after the transaction. */
  sharedWithinDays: number;
  /** A finding needs at least this many transactions with the same phone or e-mail address within `sharedWithinDays` days. */
  busyTransactions: number;
  /** A finding needs at least this many phones, e-mail addresses or cards of one document, or cards of one session. */
  contactsOfDocument: number;
  /** A finding needs at least this likeness of mailbox and name, 0 to 1. */
  mailboxResembles: number;
  /**
   * Thresholds for the likeness of two names: the name of the card owner and the name of the person. From `ownerNameSame` on, the two count
   * as the same name. Below `ownerNameOther`, they count as different names.
   */
  ownerNameSame: number;
  ownerNameOther: number;
  /** The accepted ages, in years. */
  ageMin: number;
  ageMax: number;
}

/** The points and thresholds of a tenant, as data. Every explanation of a score names the version of the policy. */
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
  /**
   * Whose transactions give evidence. `own`: only the transactions of this tenant. `shared`: also the transactions of other tenants whose
   * policy has `shared`.
   */
  history: 'own' | 'shared';
}
