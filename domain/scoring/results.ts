import type { ScoreReason } from '../confirmations/settings';

/** The kinds of data that insights and ratings can be about. SPEC, the external specification, shows only some of these names. */
export const dataKinds = [
  'Document',
  'ZipCode',
  'Email',
  'Phone',
  'Card',
  'Name',
  'MothersName',
  'Birthdate',
  'Session',
  'Identifier',
] as const;

export type DataKind = (typeof dataKinds)[number];

/** How much a transaction can be trusted. `value` is from 0 to 100, with at most two decimals. A higher value means more trust. */
export interface Score {
  value: number;
  reason: ScoreReason;
  createdAt: string;
}

/** How strongly two values of a transaction belong together. `value` is from 0 (no data) to 5 (confirmed). */
export interface Rating {
  value: number;
  reason: ScoreReason;
  createdAt: string;
  relatedTo: [DataKind, DataKind];
}

/** Whether a finding raises the score, leaves it as it is, or lowers it. Callers see these Portuguese words. */
export const relevances = ['Positivo', 'Neutro', 'Negativo'] as const;

export type Relevance = (typeof relevances)[number];

/** The finding of one rule, as callers get it. */
export interface Insight {
  code: string;
  description: string;
  /** `relatedTo` as one text, such as Document-Phone. */
  type: string;
  /** See `Rule.category`. */
  category: string;
  relevance: Relevance;
  relatedTo: DataKind[];
}
