import type { Rule } from '../rule';
import { fullOrNoPoints } from '../rule';

/** A rule that holds if many transactions within `sharedWithinDays` days have the same phone or e-mail address. */
export function busyEvaluator(kind: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { busyTransactions, sharedWithinDays } }) => {
    const transactions = links?.countsByKind[kind]?.transactions;
    if (transactions === undefined) return undefined;
    return fullOrNoPoints(transactions >= busyTransactions, { transactions, withinDays: sharedWithinDays });
  };
}
