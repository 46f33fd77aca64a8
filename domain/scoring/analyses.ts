import type { Rating, Score } from '../analysis';
import type { TransactionState } from '../state';
import type { BureauFinding } from './evidence';
import type { Finding } from './findings';
import { toScores } from './score';

/** What a caller may ask to be analysed. `card` is the card check. */
export type Analysis = 'scores' | 'ratings' | 'insights' | 'card';

/** What an analysis gave. */
export interface Analysed {
  scores?: Score[];
  ratings?: Rating[];
  insights?: Finding[];
  /** What a bureau has said, by which its findings are told. */
  bureau?: BureauFinding[];
}

/** An answer as it is remembered: how far the lists went, which only grow, so that the same answer can be given again. */
export interface AnalysisMark {
  analysis: Analysis;
  scores: number;
  ratings: number;
  /** Absent where the answer has none. */
  insights?: Finding[];
}

/** The answer to an analysis at this moment. */
export function markOf({ scores, ratings, insights, evidence }: TransactionState, analysis: Analysis): AnalysisMark {
  const ofBureau = (evidence?.bureau?.findings ?? []).filter(({ relatedTo }) => relatedTo.includes('Card'));
  const isOfCard = ({ code }: Finding) => code.startsWith('CD') || ofBureau.some((one) => one.code === code);
  const shown = { insights, card: insights.filter(isOfCard), scores: undefined, ratings: undefined }[analysis];
  return { analysis, scores: scores.length, ratings: ratings.length, ...(shown ? { insights: shown } : {}) };
}

/** The answer that a mark stands for. The card check is judged by the score of the whole transaction. */
export function analysedAt(
  state: TransactionState,
  { analysis, scores, ratings, insights = [] }: AnalysisMark,
): Analysed {
  const known = toScores(state.scores.slice(0, scores));
  if (analysis === 'scores') return { scores: known };
  if (analysis === 'ratings') return { ratings: state.ratings.slice(0, ratings) };
  const bureau = state.evidence?.bureau?.findings;
  const told = { insights, ...(bureau ? { bureau } : {}) };
  return analysis === 'insights' ? told : { ...told, scores: known.slice(-1) };
}

/** What an analysis gives at this moment. */
export function analysisOf(state: TransactionState, analysis: Analysis): Analysed {
  return analysedAt(state, markOf(state, analysis));
}
