import type { PersonFacts } from '../person';
import type { BureauFinding, Evidence } from './evidence';
import type { Policy, RuleId } from './policy';
import { type Rule, ruleId, type RuleResult } from './rule';
import { addressRules } from './rules/address-rules';
import { cardRules } from './rules/card-rules';
import { confirmationRules } from './rules/confirmation-rules';
import { documentRules } from './rules/document-rules';
import { emailRules } from './rules/email-rules';
import { linkRules } from './rules/link-rules';
import { personRules } from './rules/person-rules';
import { phoneRules } from './rules/phone-rules';
import { sessionRules } from './rules/session-rules';

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
