import type { Insight } from '../analysis';
import type { ScoreReason } from '../flow';
import type { TransactionState } from '../state';
import { ratePairs } from './ratings';
import { basePoints, type Rule, rules } from './rules';

function toInsight({ code, description, category, relevance, relatedTo }: Rule): Insight {
  return { code, description, type: relatedTo.join('-'), category, relevance, relatedTo: [...relatedTo] };
}

/**
 * The state with insights made anew, and with score and ratings appended under a reason: earlier entries stay.
 * Without evidence (the first assessment has not run yet) nothing is appended; `withEvidence` makes up for it.
 */
export function assessed(state: TransactionState, reason: ScoreReason, now: string): TransactionState {
  const { evidence, facts } = state;
  if (!evidence) return state;
  const firing = rules.filter((rule) => rule.holds(evidence, facts));
  const points = firing.reduce((sum, rule) => sum + rule.weight, basePoints);
  const value = Math.round(Math.min(100, Math.max(0, points)) * 100) / 100;
  return {
    ...state,
    insights: firing.map(toInsight),
    scores: [...state.scores, { value, reason, createdAt: now }],
    ratings: [
      ...state.ratings,
      ...ratePairs(state, evidence).map(({ value: strength, relatedTo }) => ({
        value: strength,
        reason,
        createdAt: now,
        relatedTo,
      })),
    ],
  };
}
