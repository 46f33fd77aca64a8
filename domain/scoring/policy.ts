import type { Relevance } from '../analysis';

/** A rule in a direction, such as PH001.Positivo: how a policy and an explanation name it. */
export type RuleId = `${string}.${Relevance}`;

/** Where a graded or counted piece of evidence begins to count. */
export interface Thresholds {
  /** Documents on one phone, e-mail, card, session or identifier from which sharing is a finding. */
  sharedByDocuments: number;
  /** Days before and after the transaction within which sharing counts. */
  sharedWithinDays: number;
  /** Transactions with one phone, or one e-mail, within those days from which it is busy. */
  busyTransactions: number;
  /** Phones, e-mail addresses, or cards of one document (cards of one session too) from which changing is a finding. */
  contactsOfDocument: number;
  /** Likeness of mailbox and name, 0 to 1, from which it is a finding. */
  mailboxResembles: number;
  /** Likeness of the card owner's name from which it is the person's, and below which it is another's. */
  ownerNameSame: number;
  ownerNameOther: number;
  /** Years. */
  ageMin: number;
  ageMax: number;
}

/** How a tenant turns evidence into a score: data, with a version that every explanation names. */
export interface Policy {
  version: string;
  /** Points before any finding, 0 to 100. */
  base: number;
  /**
   * The rules that run, each with its points: none below 0 for Positivo, none above 0 for Negativo, 0 for Neutro, so
   * that better evidence never lowers a score. A rule that is not listed does not run.
   */
  points: Readonly<Record<RuleId, number>>;
  /** Points of a bureau's finding that `points` does not list. */
  bureau: { Positivo: number; Negativo: number };
  thresholds: Thresholds;
  /** `shared`: the graph of all tenants that share theirs too; `own`: this tenant's alone. */
  history: 'own' | 'shared';
}
