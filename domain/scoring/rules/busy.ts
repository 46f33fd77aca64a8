import type { Rule } from '../rule';
import { holds } from '../rule';

/** Looks at how many transactions have a value within the policy's days. */
export function busy(variable: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { busyTransactions, sharedWithinDays } }) => {
    const transactions = links?.spread[variable]?.transactions;
    if (transactions === undefined) return undefined;
    return holds(transactions >= busyTransactions, { transactions, withinDays: sharedWithinDays });
  };
}
