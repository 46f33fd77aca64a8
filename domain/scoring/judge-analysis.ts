import { type Failure, failure } from '../failures';
import type { TransactionState } from '../state';
import type { Analysis } from './analyses';

/** Why a transaction cannot be analysed in a way; undefined when it can. */
export function judgeAnalysis({ input }: Pick<TransactionState, 'input'>, analysis: Analysis): Failure | undefined {
  if (analysis !== 'card' || input.card) return undefined;
  return failure('CardMissing', 'The transaction has no card.');
}
