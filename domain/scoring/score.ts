import type { Insight, Relevance, Score } from './results';
import type { ScoreReason } from '../confirmation/settings';
import type { RuleId } from './policy';
import { ruleId, type RuleResult } from './rule';
import { catalogue, type EvaluatedRule, ruleHolds, type ScoreBasis, toHundredths } from './evaluate-rules';
import type { Language } from '../person';
import type { BureauFinding } from './evidence';

/** The points of one rule that held. */
export interface ScorePart {
  rule: RuleId;
  weight: number;
  points: number;
  details: RuleResult['details'];
}

/** The calculation of a score: its value is the sum of `base`, the points of `parts`, and `limit`. */
export interface Breakdown {
  /** Version of the policy. */
  policy: string;
  base: number;
  parts: ScorePart[];
  /** The correction that keeps the score between 0 and 100. */
  limit: number;
}

/** A score with its calculation. Old scores have no calculation. */
export interface ScoreEntry extends Score {
  /** 1 for the first score with this reason, 2 for the next. Absent in scores of earlier versions. */
  number?: number;
  breakdown?: Breakdown;
}

const clamp = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

/** Adds up the points of rules as whole hundredths, so that rounding errors of decimals cannot change the sum. */
export function sumPoints(
  evaluatedRules: readonly EvaluatedRule[],
  { policy }: Pick<ScoreBasis, 'policy'>,
): { value: number; breakdown: Breakdown } {
  const rulesThatHold = evaluatedRules.filter(ruleHolds);
  const sum = rulesThatHold.reduce((total, { points }) => total + toHundredths(points), toHundredths(policy.base));
  const value = clamp(0, sum, 10_000);
  const parts = rulesThatHold.map(({ id, weight, points, result }) => ({
    rule: id,
    weight,
    points,
    details: result?.details ?? {},
  }));
  return {
    value: value / 100,
    breakdown: { policy: policy.version, base: policy.base, parts, limit: (value - sum) / 100 },
  };
}

/** The score of evaluated rules, as an entry of `TransactionState.scores`. */
export function createScoreEntry(
  evaluatedRules: readonly EvaluatedRule[],
  basis: Pick<ScoreBasis, 'policy'>,
  reason: ScoreReason,
  createdAt: string,
): ScoreEntry {
  const { value, breakdown } = sumPoints(evaluatedRules, basis);
  return { value, reason, createdAt, breakdown };
}

/** Appends a score. */
export function appendScore(scores: readonly ScoreEntry[], entry: ScoreEntry): ScoreEntry[] {
  const number = scores.filter(({ reason }) => reason === entry.reason).length + 1;
  return [...scores, { ...entry, number }];
}

/** The scores in the form of SPEC, the external specification: without their calculation. */
export function toScores(entries: readonly ScoreEntry[]): Score[] {
  return entries.map(({ value, reason, createdAt }) => ({ value, reason, createdAt }));
}

/** An insight as stored. Its text comes from the catalogue or the bureau. */
export interface Finding {
  code: string;
  relevance: Relevance;
}

const rulesById = new Map(catalogue.map((rule) => [ruleId(rule), rule]));

/** The findings of the rules that hold. */
export function findingsOf(evaluatedRules: readonly EvaluatedRule[]): Finding[] {
  return evaluatedRules.filter(ruleHolds).map(({ rule: { code, relevance } }) => ({ code, relevance }));
}

/** The findings as insights of SPEC, the external specification, with texts in a language. A finding without a known text is omitted. */
export function toInsights(
  findings: readonly Finding[],
  bureau: readonly BureauFinding[] | undefined,
  language: Language,
): Insight[] {
  return findings.flatMap((finding): Insight[] => {
    const { code, relevance } = finding;
    const rule = rulesById.get(ruleId(finding));
    const textSource = rule ?? bureau?.find((one) => ruleId(one) === ruleId(finding));
    if (!textSource) return [];
    return [
      {
        code,
        description: textSource.text[language],
        type: textSource.relatedTo.join('-'),
        category: rule?.category ?? 'Cadastro',
        relevance,
        relatedTo: [...textSource.relatedTo],
      },
    ];
  });
}
