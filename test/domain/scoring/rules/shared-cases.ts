import type { Links } from '../../../../domain/scoring/evidence';
import type { RuleCases, RuleInput } from './rule-cases';

type SharedVariable = Exclude<keyof Links['spread'], 'Document'>;

/** Builds evidence about a value that appears in transactions with this many documents. */
export function withDocuments(variable: SharedVariable, documents: number | undefined): RuleInput {
  const spread = { denials: 0, ...(documents === undefined ? {} : { documents }) };
  return { links: { pairs: [], spread: { [variable]: spread } } };
}

/** The cases of a rule about frequent values. */
export function busyCases(variable: 'Phone' | 'Email'): RuleCases {
  const withTransactions = (transactions: number): RuleInput => ({
    links: { pairs: [], spread: { [variable]: { transactions, denials: 0 } } },
  });
  return {
    holds: [
      [withTransactions(30), { strength: 1, details: { transactions: 30, withinDays: 30 } }],
      [
        { ...withTransactions(5), thresholds: { busyTransactions: 5 } },
        { strength: 1, details: { transactions: 5, withinDays: 30 } },
      ],
    ],
    doesNotHold: [[withTransactions(29), { transactions: 29, withinDays: 30 }]],
    withoutEvidence: [
      {},
      withDocuments(variable, 3),
      {
        links: { pairs: [], spread: { [variable === 'Phone' ? 'Email' : 'Phone']: { transactions: 40, denials: 0 } } },
      },
    ],
  };
}

/** The cases of a rule about shared values. Other shared values have no effect on it. */
export function sharedCases(variable: SharedVariable): RuleCases {
  const other = variable === 'Phone' ? 'Email' : 'Phone';
  return {
    holds: [
      [withDocuments(variable, 3), { strength: 0.5, details: { documents: 3, withinDays: 30 } }],
      [withDocuments(variable, 6), { strength: 0.75, details: { documents: 6, withinDays: 30 } }],
      [withDocuments(variable, 30), { strength: 0.95, details: { documents: 30, withinDays: 30 } }],
      [
        { ...withDocuments(variable, 2), thresholds: { sharedByDocuments: 2, sharedWithinDays: 7 } },
        { strength: 0.5, details: { documents: 2, withinDays: 7 } },
      ],
    ],
    doesNotHold: [
      [withDocuments(variable, 1), { documents: 1, withinDays: 30 }],
      [withDocuments(variable, 2), { documents: 2, withinDays: 30 }],
    ],
    withoutEvidence: [
      {},
      { links: { pairs: [], spread: {} } },
      withDocuments(variable, undefined),
      withDocuments(other, 9),
    ],
  };
}
