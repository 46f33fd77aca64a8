import type { ScoreReason } from './flow';

export type Variable = 'Document' | 'ZipCode' | 'Email' | 'Phone' | 'Card' | 'Name';

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

export type Relevance = 'Positivo' | 'Neutro' | 'Negativo';

/** SPEC section 2.7. */
export interface Insight {
  code: string;
  description: string;
  type: string;
  category: string;
  relevance: Relevance;
  relatedTo: Variable[];
}

/** What the finders saw. A field that is absent means that the input was absent or could not be looked up. */
export interface Evidence {
  document: {
    kind: 'CPF' | 'CNPJ' | 'unknown';
    checkDigits: 'right' | 'wrong';
    repeated: boolean;
    alphanumeric: boolean;
    states?: string[];
  };
  phone?: { allocated: boolean; line: 'mobile' | 'landline' | 'unknown'; state?: string };
  postalCode?: { state?: string; matchesStatedState?: boolean };
  email?: { disposable: boolean /** 0 to 1; absent without a name. */; resemblesName?: number };
}
