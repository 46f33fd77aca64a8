import type { Rating, Score } from '../analysis';
import type { TransactionState } from '../state';
import type { Finding } from './findings';
import { toScores } from './score';

/** What a caller may ask to be analysed. `card` is the card check. */
export type Analysis = 'scores' | 'ratings' | 'insights' | 'card';

/** What an analysis gave. */
export interface Analysed {
  scores?: Score[];
  ratings?: Rating[];
  insights?: Finding[];
}

const isOfCard = ({ code, bureau }: Finding) => code.startsWith('CD') || bureau?.relatedTo.includes('Card') === true;

/** The answer to an analysis, as the state has it. The card check is judged by the score of the whole transaction. */
export function analysisOf({ scores, ratings, insights }: TransactionState, analysis: Analysis): Analysed {
  if (analysis === 'scores') return { scores: toScores(scores) };
  if (analysis === 'ratings') return { ratings };
  if (analysis === 'insights') return { insights };
  return { insights: insights.filter(isOfCard), scores: toScores(scores.slice(-1)) };
}
