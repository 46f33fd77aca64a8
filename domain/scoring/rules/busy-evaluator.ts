import type { Rule } from '../rule';
import { fullOrNoPoints } from '../rule';

/** Counts the transactions with a value within the days of the policy. */
export function busyEvaluator(kind: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { busyTransactions, sharedWithinDays } }) => {
    const transactions = links?.countsByKind[kind]?.transactions;
    if (transactions === undefined) return undefined;
    return fullOrNoPoints(transactions >= busyTransactions, { transactions, withinDays: sharedWithinDays });
  };
}
