import type { Relevance } from './results';
import type { Language } from '../transactions/input';
import type { TransactionState } from '../transactions/state';
import { basisOf } from './assess';
import { evaluateRules, ruleHolds, type ScoreEntry, sumPoints, toInsights } from './score';
import type { RuleResult } from './rule';

/** One rule in an explanation. */
export interface ExplainedRule {
  code: string;
  description: string;
  relevance: string;
  relatedTo: readonly string[];
  holds: boolean;
  /** Points at full strength. */
  weight: number;
  /** Points that the rule added to the score. */
  points: number;
  /** The evidence that the rule used. Null if the evidence is missing. */
  evidence: RuleResult['details'] | null;
}

/** One score with its calculation: `value` is the sum of `base`, the points of all rules, and `limit`. */
export interface ExplainedScore {
  value: number;
  reason: string;
  createdAt: string;
  /** Version of the policy. */
  policy: string;
  base: number;
  rules: ExplainedRule[];
  /** The correction that keeps the score between 0 and 100. */
  limit: number;
}

/** The newest score with every rule of the policy, and the earlier scores with only the rules that held. */
export interface Explanation extends ExplainedScore {
  /** Whether the bureau responded in the last assessment. Absent if no bureau is configured. */
  bureau?: 'answered' | 'silent';
  earlier: ExplainedScore[];
}

/** A score with the rules that held, from its saved calculation. */
function explainFromParts(entry: ScoreEntry, { evidence }: TransactionState, language: Language): ExplainedScore {
  const { value, reason, createdAt } = entry;
  const { policy, base, parts, limit } = entry.breakdown ?? { policy: '', base: value, parts: [], limit: 0 };
  const rules = parts.map(({ rule, weight, points, details }): ExplainedRule => {
    const [code, relevance] = rule.split('.') as [string, Relevance];
    // If a rule or bureau finding was removed, only its code and its points are known.
    const [insight] = toInsights([{ code, relevance }], evidence?.bureau?.findings, language);
    const { description, relatedTo } = insight ?? { description: '', relatedTo: [] };
    return { code, description, relevance, relatedTo, holds: true, weight, points, evidence: details };
  });
  return { value, reason, createdAt, policy, base, rules, limit };
}

/**
 * The newest score with all rules of its policy. Undefined if the rules now give another result than the saved score, because their code
 * has changed.
 */
function explainFromRules(entry: ScoreEntry, state: TransactionState, language: Language): ExplainedScore | undefined {
  const basis = basisOf(state);
  if (!basis) return undefined;
  const evaluatedRules = evaluateRules(basis);
  const { value, breakdown } = sumPoints(evaluatedRules, basis);
  if (value !== entry.value || JSON.stringify(breakdown) !== JSON.stringify(entry.breakdown)) return undefined;
  const rules = evaluatedRules.map((evaluatedRule): ExplainedRule => {
    const { rule, weight, points, result } = evaluatedRule;
    const { code, relevance, relatedTo, text } = rule;
    const evidence = result?.details ?? null;
    return {
      code,
      description: text[language],
      relevance,
      relatedTo,
      holds: ruleHolds(evaluatedRule),
      weight,
      points,
      evidence,
    };
  });
  const { reason, createdAt } = entry;
  return { value, reason, createdAt, policy: breakdown.policy, base: breakdown.base, rules, limit: breakdown.limit };
}

function bureauOf({ evidence }: TransactionState): Pick<Explanation, 'bureau'> {
  if (evidence?.bureau) return { bureau: 'answered' };
  return evidence?.bureauSilent ? { bureau: 'silent' } : {};
}

/** Explains every score of a transaction, with the points of its policy version. Undefined if there is no score. */
export function explain(state: TransactionState, language: Language): Explanation | undefined {
  const newest = state.scores.at(-1);
  if (!newest) return undefined;
  const explained = explainFromRules(newest, state, language) ?? explainFromParts(newest, state, language);
  const earlier = state.scores.slice(0, -1).toReversed();
  return {
    ...explained,
    ...bureauOf(state),
    earlier: earlier.map((entry) => explainFromParts(entry, state, language)),
  };
}
