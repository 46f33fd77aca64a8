import type { Relevance } from '../analysis';

/** The name of a rule with its relevance in policies and explanations, such as PH001.Positivo. */
export type RuleId = `${string}.${Relevance}`;

/** The thresholds of rules with counts or grades. */
export interface Thresholds {
  /** Number of documents with one phone, e-mail, card, session or identifier from which sharing is a finding. */
  sharedByDocuments: number;
  /** Days before and after the transaction within which sharing counts. */
  sharedWithinDays: number;
  /** Number of transactions with one phone or e-mail within those days from which it is busy. */
  busyTransactions: number;
  /** Number of phones, e-mail addresses or cards of one document from which changing is a finding; also of cards of one session. */
  contactsOfDocument: number;
  /** Likeness of mailbox and name from which it is a finding, 0 to 1. */
  mailboxResembles: number;
  /** Likeness of the names of card owner and person from which they are the same, and below which they differ. */
  ownerNameSame: number;
  ownerNameOther: number;
  /** Years. */
  ageMin: number;
  ageMax: number;
}

/** The rules of a tenant for scores, as data. Every explanation has its version. */
export interface Policy {
  version: string;
  /** Points before any finding, 0 to 100. */
  base: number;
  /**
   * The points of each rule: at least 0 for Positivo, at most 0 for Negativo, 0 for Neutro, so that better evidence never lowers a
   * score. A rule that is not listed does not run.
   */
  points: Readonly<Record<RuleId, number>>;
  /** Points of a bureau finding that `points` does not list. */
  bureau: { Positivo: number; Negativo: number };
  thresholds: Thresholds;
  /** `shared`: the graph of all tenants with `shared`. `own`: only the graph of this tenant. */
  history: 'own' | 'shared';
}
