import type { Rating } from '../analysis';
import type { ScoreReason } from '../confirmation-settings';
import type { TransactionState } from '../state';
import type { Assessment } from './assessment';
import { defaultPolicy } from './default-policy';
import { findingsOf } from './findings';
import { ratePairs } from './ratings';
import { type ScoreEntry, scoreEntry } from './score';
import { type Basis, evaluateRules } from './evaluate-rules';

/** What the newest score follows from; undefined until the first assessment. */
export function basisOf({ evidence, facts, policy = defaultPolicy }: TransactionState): Basis | undefined {
  return evidence && { evidence, facts, policy };
}

type Rated = Pick<Rating, 'value' | 'relatedTo'>;

/** An entry of the list, its fields in the order of SPEC 2.6. */
const ratingEntry =
  (reason: ScoreReason, createdAt: string) =>
  ({ value, relatedTo }: Rated): Rating => ({ value, reason, createdAt, relatedTo });

/**
 * The state with insights made anew, and with score and ratings appended under a reason: earlier entries stay.
 * Without evidence (the first assessment has not run yet) nothing is appended; `withAssessment` makes up for it.
 */
export function withScore(state: TransactionState, reason: ScoreReason, now: string): TransactionState {
  const basis = basisOf(state);
  if (!basis) return state;
  const lines = evaluateRules(basis);
  const ratings = ratePairs(state.input, basis).map(ratingEntry(reason, now));
  return {
    ...state,
    insights: findingsOf(lines),
    scores: [...state.scores, scoreEntry(lines, basis, reason, now)],
    ratings: [...state.ratings, ...ratings],
  };
}

/** What a score was summed from: it can differ where the value is cut to the same. */
const sumOf = ({ breakdown }: ScoreEntry) =>
  JSON.stringify([breakdown?.policy, breakdown?.parts.map(({ rule, points }) => [rule, points])]);

const pairOf = ({ relatedTo }: Pick<Rating, 'relatedTo'>) => relatedTo.join('-');

/**
 * The state after another look at a transaction that was assessed before. A score that came out differently, and each
 * pair that did, is appended as `Reassessed`; when nothing that a caller can see differs, it is the same state.
 */
export function withReassessment(
  state: TransactionState,
  { evidence, policy }: Assessment,
  now: string,
): TransactionState {
  const looked = { ...state, evidence, policy };
  const basis = { evidence, policy, facts: state.facts };
  const lines = evaluateRules(basis);
  const entry = scoreEntry(lines, basis, 'Reassessed', now);
  const insights = findingsOf(lines);
  const last = state.scores.at(-1);
  const newScore = last?.value !== entry.value || sumOf(last) !== sumOf(entry);
  const newRatings = ratePairs(state.input, basis).filter(
    (rated) => state.ratings.findLast((known) => pairOf(known) === pairOf(rated))?.value !== rated.value,
  );
  const sameInsights = JSON.stringify(insights) === JSON.stringify(state.insights);
  // A bureau that has nothing to say has answered all the same, and is not asked again.
  const answeredNow = evidence.bureau !== undefined && state.evidence?.bureau === undefined;
  if (!newScore && newRatings.length === 0 && sameInsights && !answeredNow) return state;
  return {
    ...looked,
    insights,
    scores: newScore ? [...state.scores, entry] : state.scores,
    ratings: [...state.ratings, ...newRatings.map(ratingEntry('Reassessed', now))],
  };
}
