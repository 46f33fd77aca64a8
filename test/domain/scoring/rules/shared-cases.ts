import type { Links } from '../../../../domain/scoring/evidence';
import type { RuleCases, RuleInput } from './rule-cases';

type SharedDataKind = Exclude<keyof Links['countsByKind'], 'Document'>;

/** A value, such as a phone, that this many documents share. */
export function withDocuments(kind: SharedDataKind, documents: number | undefined): RuleInput {
  const counts = { denials: 0, ...(documents === undefined ? {} : { documents }) };
  return { links: { pairs: [], countsByKind: { [kind]: counts } } };
}

/** A rule about values that appear in many transactions. */
export function manyTransactionsCases(kind: 'Phone' | 'Email'): RuleCases {
  const withTransactions = (transactions: number): RuleInput => ({
    links: { pairs: [], countsByKind: { [kind]: { transactions, denials: 0 } } },
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
      withDocuments(kind, 3),
      {
        links: {
          pairs: [],
          countsByKind: { [kind === 'Phone' ? 'Email' : 'Phone']: { transactions: 40, denials: 0 } },
        },
      },
    ],
  };
}

/** A rule about a value that several documents share. Shared values of another kind have no effect. */
export function sharedCases(kind: SharedDataKind): RuleCases {
  const otherKind = kind === 'Phone' ? 'Email' : 'Phone';
  return {
    holds: [
      [withDocuments(kind, 3), { strength: 0.5, details: { documents: 3, withinDays: 30 } }],
      [withDocuments(kind, 6), { strength: 0.75, details: { documents: 6, withinDays: 30 } }],
      [withDocuments(kind, 30), { strength: 0.95, details: { documents: 30, withinDays: 30 } }],
      [
        { ...withDocuments(kind, 2), thresholds: { sharedByDocuments: 2, sharedWithinDays: 7 } },
        { strength: 0.5, details: { documents: 2, withinDays: 7 } },
      ],
    ],
    doesNotHold: [
      [withDocuments(kind, 1), { documents: 1, withinDays: 30 }],
      [withDocuments(kind, 2), { documents: 2, withinDays: 30 }],
    ],
    withoutEvidence: [
      {},
      { links: { pairs: [], countsByKind: {} } },
      withDocuments(kind, undefined),
      withDocuments(otherKind, 9),
    ],
  };
}
