import type { Rating, Score } from '../analysis';
import type { TransactionState } from '../state';
import type { BureauFinding } from './evidence';
import type { Finding } from './findings';
import { toScores } from './score';

/** What a caller may ask to be analysed. `card` is the card check. */
export type Analysis = 'scores' | 'ratings' | 'insights' | 'card';

/** What an analysis gave. */
export interface AnalysisResult {
  scores?: Score[];
  ratings?: Rating[];
  insights?: Finding[];
  /** What a bureau has said, by which its findings are told. */
  bureau?: BureauFinding[];
}

/** What an analysis gives at this moment. The card check is judged by the score of the whole transaction. */
export function analysisOf(state: TransactionState, analysis: Analysis): AnalysisResult {
  if (analysis === 'scores') return { scores: toScores(state.scores) };
  if (analysis === 'ratings') return { ratings: state.ratings };
  const bureau = state.evidence?.bureau?.findings;
  const found = { insights: state.insights, ...(bureau ? { bureau } : {}) };
  if (analysis === 'insights') return found;
  const ofBureau = (bureau ?? []).filter(({ relatedTo }) => relatedTo.includes('Card'));
  const isOfCard = ({ code }: Finding) => code.startsWith('CD') || ofBureau.some((one) => one.code === code);
  return { ...found, insights: state.insights.filter(isOfCard), scores: toScores(state.scores.slice(-1)) };
}
