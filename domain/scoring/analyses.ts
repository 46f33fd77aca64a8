import type { Rating, Score } from '../analysis-results';
import type { TransactionState } from '../state';
import type { BureauFinding } from './evidence';
import type { Finding } from './findings';
import { toScores } from './score';

/** The analyses that a caller may request. `card`: the check of the card in the transaction. */
export type AnalysisKind = 'scores' | 'ratings' | 'insights' | 'card';

/** The result of an analysis. */
export interface AnalysisResult {
  scores?: Score[];
  ratings?: Rating[];
  insights?: Finding[];
  /** The findings of the bureau, with their texts. */
  bureau?: BureauFinding[];
}

/** The current result of an analysis. The result of `card` also has the newest score, which is the score of the whole transaction. */
export function analysisOf(state: TransactionState, analysis: AnalysisKind): AnalysisResult {
  if (analysis === 'scores') return { scores: toScores(state.scores) };
  if (analysis === 'ratings') return { ratings: state.ratings };
  const bureau = state.evidence?.bureau?.findings;
  const insightResult = { insights: state.findings, ...(bureau ? { bureau } : {}) };
  if (analysis === 'insights') return insightResult;
  const cardBureauFindings = (bureau ?? []).filter(({ relatedTo }) => relatedTo.includes('Card'));
  const isOfCard = ({ code }: Finding) => code.startsWith('CD') || cardBureauFindings.some((one) => one.code === code);
  return { ...insightResult, insights: state.findings.filter(isOfCard), scores: toScores(state.scores.slice(-1)) };
}
