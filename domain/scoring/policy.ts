import type { Relevance } from './results';

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

/** The policy of tenants without a policy of their own. When you change a number, also change `version`. */
export const defaultPolicy: Policy = {
  version: '2026-11-21',
  // The middle of the scale: neither trust nor distrust.
  base: 50,
  points: {
    'DC001.Negativo': -40,
    'DC002.Negativo': -30,
    'DC003.Positivo': 3,
    'DC003.Neutro': 0,
    'DC004.Neutro': 0,
    'DC005.Negativo': -12,
    'PH001.Positivo': 8,
    'PH001.Negativo': -8,
    'PH002.Negativo': -15,
    'PH003.Neutro': 0,
    'PH004.Negativo': -25,
    'PH005.Negativo': -15,
    'EM001.Negativo': -20,
    'EM002.Negativo': -15,
    'EM003.Positivo': 6,
    'EM004.Negativo': -25,
    'EM005.Negativo': -5,
    'EM006.Negativo': -15,
    'CP001.Negativo': -8,
    'CP002.Neutro': 0,
    'NM001.Neutro': 0,
    'NM002.Positivo': 2,
    'NM003.Negativo': -4,
    'BD001.Negativo': -10,
    'CD001.Positivo': 5,
    'CD001.Negativo': -15,
    'CD002.Neutro': 0,
    'CD003.Negativo': -20,
    'CD004.Positivo': 2,
    'CD004.Negativo': -6,
    'CD005.Negativo': -15,
    'SS001.Negativo': -12,
    // Takes fewer points than a shared session, because callers define the identifier, and many people may have the same one.
    'ID001.Negativo': -8,
    'LK001.Positivo': 8,
    'LK002.Positivo': 6,
    'LK003.Positivo': 10,
    'LK004.Negativo': -25,
    'LK005.Negativo': -8,
    'CF001.Positivo': 20,
    'CF002.Positivo': 15,
    // A denial takes more points than a confirmed phone and a confirmed e-mail address give together.
    'CF003.Negativo': -60,
    'CF004.Positivo': 25,
    'CF004.Negativo': -40,
  },
  bureau: { Positivo: 5, Negativo: -10 },
  thresholds: {
    sharedByDocuments: 3,
    sharedWithinDays: 30,
    // One transaction per day within the 30 days of `sharedWithinDays`. Only a very frequent user has so many.
    busyTransactions: 30,
    contactsOfDocument: 4,
    // docs/decisions/0011 has the reason for 0.8.
    mailboxResembles: 0.8,
    ownerNameSame: 0.9,
    ownerNameOther: 0.6,
    ageMin: 18,
    ageMax: 110,
  },
  history: 'own',
};

/** The code of a bureau finding, such as XA001. */
export const bureauCodePattern = /^X[A-Z]\d{3}$/;
