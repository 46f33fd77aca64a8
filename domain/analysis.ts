import type { ScoreReason } from './confirmation-settings';

/** What insights and ratings can relate to. SPEC 2.6 and 2.7 show only some of these names. */
export const variables = [
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

export type Variable = (typeof variables)[number];

/** SPEC section 2.5. From 0 to 100 with two decimals; higher means more trust. */
export interface Score {
  value: number;
  reason: ScoreReason;
  createdAt: string;
}

/** SPEC section 2.6. From 0 (no data) to 5 (confirmed). */
export interface Rating {
  value: number;
  reason: ScoreReason;
  createdAt: string;
  relatedTo: [Variable, Variable];
}

export const relevances = ['Positivo', 'Neutro', 'Negativo'] as const;

export type Relevance = (typeof relevances)[number];

/** SPEC section 2.7. */
export interface Insight {
  code: string;
  description: string;
  type: string;
  category: string;
  relevance: Relevance;
  relatedTo: Variable[];
}
