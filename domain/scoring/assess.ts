import type { Rating, Score } from './results';
import type { ScoreReason } from '../confirmations/settings';
import type { TransactionState } from '../transactions/state';
import type { BureauFinding, EvidenceAndPolicy } from './evidence';
import { defaultPolicy } from './policy';
import {
  appendScore,
  createScoreEntry,
  evaluateRules,
  type Finding,
  findingsOf,
  type ScoreBasis,
  type ScoreEntry,
  toScores,
} from './score';
import { ratePairs } from './ratings';
import { createDomainError, type DomainError } from '../domain-error';
import { limits } from '../transactions/limits';

/** The basis of the newest score: evidence, facts and policy. Undefined until the first assessment. */
export function basisOf({ evidence, facts, policy = defaultPolicy }: TransactionState): ScoreBasis | undefined {
  return evidence && { evidence, facts, policy };
}

type PairRating = Pick<Rating, 'value' | 'relatedTo'>;

/** Creates a rating. Its fields are in the order of SPEC, the external specification. */
const ratingEntry =
  (reason: ScoreReason, createdAt: string) =>
  ({ value, relatedTo }: PairRating): Rating => ({ value, reason, createdAt, relatedTo });

/**
 * The state with new insights, one more score and new ratings. Before the first assessment there is no evidence, and the state does
 * not change: `withAssessment` appends the score later.
 */
export function withScore(state: TransactionState, reason: ScoreReason, now: string): TransactionState {
  const basis = basisOf(state);
  if (!basis) return state;
  const evaluatedRules = evaluateRules(basis);
  const ratings = ratePairs(state.input, basis).map(ratingEntry(reason, now));
  return {
    ...state,
    findings: findingsOf(evaluatedRules),
    scores: appendScore(state.scores, createScoreEntry(evaluatedRules, basis, reason, now)),
    ratings: [...state.ratings, ...ratings],
  };
}

/** The calculation of a score as text. Two scores with the same value can have different calculations. */
const breakdownKey = ({ breakdown }: ScoreEntry) =>
  JSON.stringify([breakdown?.policy, breakdown?.parts.map(({ rule, points }) => [rule, points])]);

const pairOf = ({ relatedTo }: Pick<Rating, 'relatedTo'>) => relatedTo.join('-');

/**
 * The state after a reassessment. If the score or its calculation has changed, appends a score with the reason `Reassessed`. Also appends
 * each changed rating. Returns the same state if score, ratings and findings have not changed. But the first answer of a bureau is always
 * saved.
 */
export function withReassessment(
  state: TransactionState,
  { evidence, policy }: EvidenceAndPolicy,
  now: string,
): TransactionState {
  const reassessed = { ...state, evidence, policy };
  const basis = { evidence, policy, facts: state.facts };
  const evaluatedRules = evaluateRules(basis);
  const entry = createScoreEntry(evaluatedRules, basis, 'Reassessed', now);
  const findings = findingsOf(evaluatedRules);
  const lastEntry = state.scores.at(-1);
  const isScoreChanged = lastEntry?.value !== entry.value || breakdownKey(lastEntry) !== breakdownKey(entry);
  const newRatings = ratePairs(state.input, basis).filter(
    (rated) => state.ratings.findLast((known) => pairOf(known) === pairOf(rated))?.value !== rated.value,
  );
  const sameFindings = JSON.stringify(findings) === JSON.stringify(state.findings);
  // The first answer of a bureau is saved even without findings, so that the bureau gets no second request.
  const isFirstBureauAnswer = evidence.bureau !== undefined && state.evidence?.bureau === undefined;
  if (!isScoreChanged && newRatings.length === 0 && sameFindings && !isFirstBureauAnswer) return state;
  return {
    ...reassessed,
    findings,
    scores: isScoreChanged ? appendScore(state.scores, entry) : state.scores,
    ratings: [...state.ratings, ...newRatings.map(ratingEntry('Reassessed', now))],
  };
}

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

/** Whether a transaction has card data. */
export const hasCard = ({ card }: TransactionState['input']): boolean => Object.keys(card ?? {}).length > 0;

export const cardMissingError = createDomainError('CardMissing', 'The transaction has no card.');

/** The error if an analysis cannot be done. Undefined if it can. */
export function analysisError(
  { input, scores, ratings }: Pick<TransactionState, 'input' | 'scores' | 'ratings'>,
  analysis: AnalysisKind,
): DomainError | undefined {
  if (analysis === 'card' && !hasCard(input)) return cardMissingError;
  if (scores.length + ratings.length < limits.analysisEntries) return undefined;
  return createDomainError('AnalysisLimitReached', 'The transaction has reached its limit of analyses.');
}
