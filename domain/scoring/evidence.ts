import type { Relevance, Variable } from '../analysis';
import type { Language } from '../language';

/** The variables of a transaction by which it is linked to others. */
export const linkVariables = [
  'Document',
  'Phone',
  'Email',
  'ZipCode',
  'Card',
  'Name',
  'Session',
  'Identifier',
] as const satisfies readonly Variable[];

export type LinkVariable = (typeof linkVariables)[number];

/** Two values of this transaction that also occur together in others. Counts are limited by the query. */
export interface PairLink {
  /** In the order of `linkVariables`. */
  pair: [LinkVariable, LinkVariable];
  /** Other transactions with both values. */
  times: number;
  /** Distinct UTC dates of those, the own date left out. */
  dates: number;
  /** UTC dates, YYYY-MM-DD. */
  firstDate: string;
  lastDate: string;
  /** 0 to 1: share of the transactions with either value and both variables in which both values stand. 1: never with another. */
  exclusivity: number;
  /** How many of those transactions confirmed the pair by phone or e-mail. */
  confirmed: number;
}

/** How a value is spread over other values, within the policy's days around this transaction, this one counted too. */
export interface Spread {
  /** Transactions with the value. Absent in records of before it was counted. */
  transactions?: number;
  /** Distinct documents with the value. Absent for Document itself. */
  documents?: number;
  /** Distinct phones and e-mail addresses with the value. For Document only. */
  phones?: number;
  emails?: number;
  /** Distinct cards with the value. For Document and Session only. */
  cards?: number;
  /** Other transactions with the value whose person said that it was not them; not bound to the days. */
  denials: number;
}

/** Evidence from other transactions. */
export interface Links {
  /** Pairs that were seen together before or since; a pair that is missing never was. */
  pairs: PairLink[];
  /** By each value that this transaction has; ZipCode and Name are shared by nature and left out. */
  spread: Partial<Record<Exclude<LinkVariable, 'ZipCode' | 'Name'>, Spread>>;
}

/** One finding of an external bureau. */
export interface BureauFinding {
  /** X, a letter, three digits: `bureauCode`. */
  code: string;
  text: Record<Language, string>;
  relevance: Relevance;
  relatedTo: Variable[];
}

/** The results of the finders. A field is absent when its input is absent or could not be looked up. */
export interface Evidence {
  document: {
    kind: 'CPF' | 'CNPJ' | 'unknown';
    checkDigits: 'right' | 'wrong';
    repeated: boolean;
    alphanumeric: boolean;
    /** States of the fiscal region of a CPF. */
    states?: string[];
  };
  phone?: { allocated: boolean; line: 'mobile' | 'landline' | 'unknown'; state?: string };
  /** Without `state`: a code that is in no state. */
  postalCode?: { state?: string; matchesStatedState?: boolean };
  email?: {
    disposable: boolean;
    /** 0 to 1; absent without a name. */
    resemblesName?: number;
    /** `odd`: dots at an end or in a row, which no mailbox has (RFC 5321). */
    syntax?: 'sound' | 'odd';
    /** Absent when DNS was not available. */
    mailServer?: 'found' | 'none';
  };
  /** `odd`: digits, symbols, or one letter three times in a row. */
  name?: { words: number; odd: boolean };
  /** Only with both names. */
  mother?: { sameAsPerson: boolean; sharesFamilyName: boolean };
  /** Years completed when the transaction was created. Persons only. */
  age?: number;
  card?: {
    /** Absent when the prefix is in no table. */
    brand?: string;
    /** Absent without a BIN. */
    binKnown?: boolean;
    ownerDocumentMatches?: boolean;
    /** 0 to 1. */
    ownerNameLikeness?: number;
  };
  /** Absent only in old records. */
  links?: Links;
  /** Absent when no bureau is configured or it did not respond. */
  bureau?: { findings: BureauFinding[] };
  /** The bureau is configured but did not respond. */
  bureauSilent?: true;
}
