import type { Insight, Relevance, Score } from './results';
import type { ScoreReason } from '../confirmations/settings';
import type { Policy, RuleId } from './policy';
import { type Rule, ruleId, type RuleResult } from './rule';
import type { Language, PersonFacts } from '../transactions/input';
import type { BureauFinding, Evidence } from './evidence';
import { addressRules, phoneRules } from './rules/phone-and-address-rules';
import { cardRules } from './rules/card-rules';
import { confirmationRules } from './rules/confirmation-rules';
import { documentRules, personRules } from './rules/person-rules';
import { emailRules } from './rules/email-rules';
import { linkRules, sessionRules } from './rules/link-rules';

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

/** All rules. Scores, insights and explanations follow this order. */
export const catalogue: readonly Rule[] = defineCatalogue(
  documentRules,
  phoneRules,
  emailRules,
  addressRules,
  personRules,
  cardRules,
  sessionRules,
  linkRules,
  confirmationRules,
);

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

/** The input of a score: the same basis always gives the same score. */
export interface ScoreBasis {
  evidence: Evidence;
  facts: PersonFacts;
  policy: Policy;
}

/** The result of one rule of the policy for one basis. */
export interface EvaluatedRule {
  id: RuleId;
  rule: Pick<Rule, 'code' | 'relevance' | 'category' | 'relatedTo' | 'text'>;
  /** Points at full strength. */
  weight: number;
  /** Absent if the evidence for the rule is missing. */
  result?: RuleResult;
  /** Points that the rule adds to the score, with at most two decimals. */
  points: number;
}

/** Points as whole hundredths. `+ 0` changes -0 to 0. JSON also saves -0 as 0, so the value is the same before and after it is saved. */
export const toHundredths = (points: number): number => Math.round(points * 100) + 0;

function evaluateBureauFinding(finding: BureauFinding, { points, bureau }: Policy): EvaluatedRule {
  const id = ruleId(finding);
  const relevancePoints = finding.relevance === 'Neutro' ? 0 : bureau[finding.relevance];
  const weight = points[id] ?? relevancePoints;
  const rule = { ...finding, category: 'Cadastro' } as const;
  return { id, rule, weight, result: { strength: 1, details: { source: 'bureau' } }, points: weight };
}

/** Every rule of the policy in the order of the catalogue, then the bureau findings. */
export function evaluateRules({ evidence, facts, policy }: ScoreBasis): EvaluatedRule[] {
  const context = { evidence, facts, thresholds: policy.thresholds };
  const evaluatedCatalogue = catalogue.flatMap((rule): EvaluatedRule[] => {
    const id = ruleId(rule);
    const weight = policy.points[id];
    if (weight === undefined) return [];
    const result = rule.evaluate(context);
    const points = toHundredths(weight * (result?.strength ?? 0)) / 100;
    return [{ id, rule, weight, ...(result ? { result } : {}), points }];
  });
  const bureauFindings = new Map((evidence.bureau?.findings ?? []).map((finding) => [ruleId(finding), finding]));
  return [
    ...evaluatedCatalogue,
    ...[...bureauFindings.values()].map((finding) => evaluateBureauFinding(finding, policy)),
  ];
}

/** Whether a rule gives a finding. */
export function ruleHolds({ result }: EvaluatedRule): boolean {
  return result !== undefined && result.strength > 0;
}

/** The rules of all lists, in order. Throws if two rules have the same id. */
export function defineCatalogue(...ruleLists: readonly (readonly Rule[])[]): readonly Rule[] {
  const rules = ruleLists.flat();
  const seen = new Set<string>();
  for (const id of rules.map(ruleId)) {
    if (seen.has(id)) throw new Error(`Two rules share the id ${id}.`);
    seen.add(id);
  }
  return rules;
}
