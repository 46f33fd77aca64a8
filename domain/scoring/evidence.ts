import type { Relevance, DataKind } from '../analysis-results';
import type { Language } from '../language';

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
 * Two values of this transaction that also occur together in other transactions. `observationLimits` in store/record limits the
 * counts.
 */
export interface PairLink {
  /** In the order of `observedKinds`. */
  pair: [ObservedKind, ObservedKind];
  /** Other transactions with both values. */
  times: number;
  /** The distinct UTC dates of these transactions, without the date of this transaction. */
  dates: number;
  /** UTC dates, YYYY-MM-DD. */
  firstDate: string;
  lastDate: string;
  /**
   * The share of transactions with both values, 0 to 1. Only transactions with both kinds of data and at least one of the values
   * count.
   */
  overlap: number;
  /** Number of other transactions with both values in which the person confirmed the pair by phone or e-mail. */
  confirmed: number;
}

/** Counts for a value. They include this transaction, and the others within the days of the policy before and after it. */
export interface ValueCounts {
  /** Transactions with the value. */
  transactions?: number;
  /** Distinct documents with the value. Absent for Document itself. */
  documents?: number;
  /** Distinct phones and e-mail addresses with the value. For Document only. */
  phones?: number;
  emails?: number;
  /** Distinct cards with the value. For Document and Session only. */
  cards?: number;
  /** Other transactions with the value that the person denied, at any time. */
  denials: number;
}

/** Evidence from other transactions. */
export interface Links {
  /** Pairs of values that also occur together in other transactions. A pair that is not listed occurs in none. */
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
    /** All digits are the same. */
    repeated: boolean;
    /** A CNPJ with letters. */
    alphanumeric: boolean;
    /** States of the fiscal region of a CPF. */
    states?: string[];
  };
  /** `allocated`: the area code exists. */
  phone?: { allocated: boolean; line: 'mobile' | 'landline' | 'unknown'; state?: string };
  /** `state` is absent if the postal code is not known. `matchesStatedState`: whether it is the state of the address. */
  postalCode?: { state?: string; matchesStatedState?: boolean };
  email?: {
    disposable: boolean;
    /** 0 to 1; absent without a name. */
    resemblesName?: number;
    /** `invalid`: a dot at the start or the end, or two dots in a row. RFC 5321 does not allow these. */
    syntax?: 'valid' | 'invalid';
    /** Absent when DNS was not available. */
    mailServer?: 'found' | 'none';
  };
  /** `words`: number of words. `unusual`: with digits, symbols, or one letter three times in a row. */
  name?: { words: number; unusual: boolean };
  /** Present if both names are given. */
  mother?: { sameAsPerson: boolean; sharesFamilyName: boolean };
  /** Age in full years when the transaction was created. Persons only. */
  age?: number;
  card?: {
    /** Absent for an unknown prefix. */
    brand?: string;
    /** Absent without a BIN. */
    binKnown?: boolean;
    ownerDocumentMatches?: boolean;
    /** 0 to 1. */
    ownerNameLikeness?: number;
  };
  /** Absent where there is no link graph, as in `npm run flow -- simulate`. */
  links?: Links;
  /** Absent when no bureau is configured or it did not respond. */
  bureau?: { findings: BureauFinding[] };
  /** The bureau is configured but did not respond. */
  bureauSilent?: true;
}
