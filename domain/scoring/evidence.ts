import type { DataKind, Relevance } from './results';
import type { Language } from '../transactions/input';
import type { Policy } from './policy';

/** The kinds of data in an observation. Transactions with equal values are linked. */
export const observedKinds = [
  'Document',
  'Phone',
  'Email',
  'ZipCode',
  'Card',
  'Name',
  'Session',
  'Identifier',
] as const satisfies readonly DataKind[];

export type ObservedKind = (typeof observedKinds)[number];

/**
 * Two values of this transaction that also occur together in other transactions. The counts have upper limits: see `observationLimits`
 * in store/transactions.
 */
export interface PairLink {
  /** In the order of `observedKinds`. */
  pair: [ObservedKind, ObservedKind];
  /** Number of other transactions with both values. */
  times: number;
  /** Number of distinct UTC dates on which these other transactions were created. The date of this transaction does not count. */
  dates: number;
  /** The first and last of these UTC dates, as YYYY-MM-DD. */
  firstDate: string;
  lastDate: string;
  /**
   * How often the two values occur together, 0 to 1: the number of transactions with both values, divided by the number of transactions
   * that have both kinds of data and at least one of the two values.
   */
  overlap: number;
  /** Number of other transactions with both values in which the person confirmed the pair by phone or e-mail. */
  confirmed: number;
}

/**
 * Counts for one value: in this transaction, and in other transactions that were created at most `sharedWithinDays` days (see `Thresholds`)
 * before or after it.
 */
export interface ValueCounts {
  /** Number of transactions with the value. */
  transactions?: number;
  /** Number of distinct documents with the value. Absent for Document itself. */
  documents?: number;
  /** Numbers of distinct phones and e-mail addresses with the value. For Document only. */
  phones?: number;
  emails?: number;
  /** Number of distinct cards with the value. For Document and Session only. */
  cards?: number;
  /** Number of other transactions with the value, at any time, that the person denied. */
  denials: number;
}

/** Evidence from other transactions. */
export interface Links {
  /** Pairs of values that also occur together in other transactions. If a pair is not listed, no other transaction has both values. */
  pairs: PairLink[];
  /** The counts for the value of each kind of data. Without ZipCode and Name, because many people share these values. */
  countsByKind: Partial<Record<Exclude<ObservedKind, 'ZipCode' | 'Name'>, ValueCounts>>;
}

/** One finding of an external bureau. */
export interface BureauFinding {
  /** X, a letter and three digits: see `bureauCodePattern`. */
  code: string;
  text: Record<Language, string>;
  relevance: Relevance;
  relatedTo: DataKind[];
}

/** What the assessment has found. A field is absent if its input is absent or its lookup failed. */
export interface Evidence {
  document: {
    kind: 'CPF' | 'CNPJ' | 'unknown';
    checkDigits: 'right' | 'wrong';
    /** Whether all digits are the same. */
    repeated: boolean;
    /** Whether the document is a CNPJ with letters. */
    alphanumeric: boolean;
    /** The Brazilian states of the fiscal region that issued the CPF. */
    states?: string[];
  };
  /** `allocated`: whether the area code exists. `state`: the Brazilian state of the area code. */
  phone?: { allocated: boolean; line: 'mobile' | 'landline' | 'unknown'; state?: string };
  /** `state` is absent if the postal code is not known. `matchesStatedState`: whether `state` equals the state in the address. */
  postalCode?: { state?: string; matchesStatedState?: boolean };
  email?: {
    disposable: boolean;
    /** How much the mailbox resembles the name of the person, 0 to 1. Absent if the transaction has no name. */
    resemblesName?: number;
    /** `invalid`: a dot at the start or the end, or two dots in a row. RFC 5321 does not allow these. */
    syntax?: 'valid' | 'invalid';
    /** Whether the domain has a mail server. Absent if DNS was not available. */
    mailServer?: 'found' | 'none';
  };
  /** `words`: number of words. `unusual`: whether the name has digits, symbols, or the same letter three times in a row. */
  name?: { words: number; unusual: boolean };
  /** The name of the mother, compared with the name of the person. Present if both names are given. */
  mother?: { sameAsPerson: boolean; sharesFamilyName: boolean };
  /** Age in full years when the transaction was created. Persons only. */
  age?: number;
  card?: {
    /** The brand, such as Visa. Absent if the first digits of the card belong to no known brand. */
    brand?: string;
    /** Whether the table of BINs has the BIN of the card. Absent if the card has no BIN. */
    binKnown?: boolean;
    ownerDocumentMatches?: boolean;
    /** How much the name of the card owner resembles the name of the person, 0 to 1. */
    ownerNameLikeness?: number;
  };
  /** Absent if there is no link graph, as in `npm run flow -- simulate`. */
  links?: Links;
  /** Absent if no bureau is configured, or if the bureau did not respond. */
  bureau?: { findings: BureauFinding[] };
  /** Set if a bureau is configured but did not respond. */
  bureauSilent?: true;
}

/** What the worker collects for a score. The third part of the input, the facts, is in the state. */
export interface EvidenceAndPolicy {
  evidence: Evidence;
  policy: Policy;
}

/** Results of the bureau and of DNS in an earlier assessment. */
export interface Lookups {
  bureau?: NonNullable<Evidence['bureau']>;
  mailServer?: 'found' | 'none';
}

/** The results that a reassessment can reuse. */
export function lookupsOf(evidence: Evidence | undefined): Lookups {
  const { bureau, email } = evidence ?? {};
  return { ...(bureau ? { bureau } : {}), ...(email?.mailServer ? { mailServer: email.mailServer } : {}) };
}

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
