import type { Rating } from '../analysis-results';
import type { ScoreReason } from '../confirmation-settings';
import type { TransactionState } from '../state';
import type { EvidenceAndPolicy } from './evidence-and-policy';
import { defaultPolicy } from './default-policy';
import { findingsOf } from './findings';
import { ratePairs } from './ratings';
import { appendScore, type ScoreEntry, createScoreEntry } from './score';
import { type ScoreBasis, evaluateRules } from './evaluate-rules';

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
