import type { Links } from '../../../../domain/scoring/evidence';
import type { Cases, KnownEvidence } from './rule-cases';

type Shared = Exclude<keyof Links['spread'], 'Document'>;

/** A value that appears in transactions with this many documents. */
export function sharedBy(variable: Shared, documents: number | undefined): KnownEvidence {
  const spread = { denials: 0, ...(documents === undefined ? {} : { documents }) };
  return { links: { pairs: [], spread: { [variable]: spread } } };
}

/** The cases of a rule about frequent values. */
export function busyCases(variable: 'Phone' | 'Email'): Cases {
  const used = (transactions: number): KnownEvidence => ({
    links: { pairs: [], spread: { [variable]: { transactions, denials: 0 } } },
  });
  return {
    positive: [
      [used(30), { strength: 1, details: { transactions: 30, withinDays: 30 } }],
      [
        { ...used(5), thresholds: { busyTransactions: 5 } },
        { strength: 1, details: { transactions: 5, withinDays: 30 } },
      ],
    ],
    negative: [[used(29), { transactions: 29, withinDays: 30 }]],
    withoutEvidence: [
      {},
      sharedBy(variable, 3),
      {
        links: { pairs: [], spread: { [variable === 'Phone' ? 'Email' : 'Phone']: { transactions: 40, denials: 0 } } },
      },
    ],
  };
}

/** The cases of a rule about shared values: another shared value has no effect. */
export function sharedCases(variable: Shared): Cases {
  const other = variable === 'Phone' ? 'Email' : 'Phone';
  return {
    positive: [
      [sharedBy(variable, 3), { strength: 0.5, details: { documents: 3, withinDays: 30 } }],
      [sharedBy(variable, 6), { strength: 0.75, details: { documents: 6, withinDays: 30 } }],
      [sharedBy(variable, 30), { strength: 0.95, details: { documents: 30, withinDays: 30 } }],
      [
        { ...sharedBy(variable, 2), thresholds: { sharedByDocuments: 2, sharedWithinDays: 7 } },
        { strength: 0.5, details: { documents: 2, withinDays: 7 } },
      ],
    ],
    negative: [
      [sharedBy(variable, 1), { documents: 1, withinDays: 30 }],
      [sharedBy(variable, 2), { documents: 2, withinDays: 30 }],
    ],
    withoutEvidence: [{}, { links: { pairs: [], spread: {} } }, sharedBy(variable, undefined), sharedBy(other, 9)],
  };
}
