import { type DomainError, createDomainError } from '../domain-error';
import { limits } from '../limits';
import type { TransactionState } from '../state';
import type { AnalysisKind } from './analyses';

/** Whether a transaction has card data. */
export const hasCard = ({ card }: TransactionState['input']): boolean => Object.keys(card ?? {}).length > 0;

export const cardMissingError = createDomainError('CardMissing', 'The transaction has no card.');

/** The error if an analysis cannot be done. Undefined if it can. */
export function analysisPrecondition(
  { input, scores, ratings }: Pick<TransactionState, 'input' | 'scores' | 'ratings'>,
  analysis: AnalysisKind,
): DomainError | undefined {
  if (analysis === 'card' && !hasCard(input)) return cardMissingError;
  if (scores.length + ratings.length < limits.analysisEntries) return undefined;
  return createDomainError('AnalysisLimitReached', 'The transaction has reached its limit of analyses.');
}
