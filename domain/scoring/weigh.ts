import type { Facts } from '../facts';
import { catalogue } from './catalogue';
import type { BureauFinding, Evidence } from './evidence';
import type { Policy, RuleId } from './policy';
import { type Rule, ruleId, type Seen } from './rule';

/** Everything that a score follows from: the same basis gives the same score for ever. */
export interface Basis {
  evidence: Evidence;
  facts: Facts;
  policy: Policy;
}

/** One rule of the policy on one basis. */
export interface Line {
  id: RuleId;
  rule: Pick<Rule, 'code' | 'relevance' | 'category' | 'relatedTo' | 'text'>;
  /** Points that the rule has when it holds wholly. */
  weight: number;
  /** Absent when its evidence is missing. */
  seen?: Seen;
  /** What the rule adds to the score, in points with at most two decimals. */
  points: number;
}

/** Never -0, which JSON and comparisons would tell apart from 0. */
export const inCents = (points: number): number => Math.round(points * 100) + 0;

function ofBureau(finding: BureauFinding, { points, bureau }: Policy): Line {
  const id = ruleId(finding);
  const byRelevance = finding.relevance === 'Neutro' ? 0 : bureau[finding.relevance];
  const weight = points[id] ?? byRelevance;
  const rule = { ...finding, category: 'Cadastro' } as const;
  return { id, rule, weight, seen: { strength: 1, saw: { source: 'bureau' } }, points: weight };
}

/** The scorecard: every rule that the policy lists, in the order of the catalogue, then what a bureau has found. */
export function weigh({ evidence, facts, policy }: Basis): Line[] {
  const context = { evidence, facts, thresholds: policy.thresholds };
  const ours = catalogue.flatMap((rule): Line[] => {
    const id = ruleId(rule);
    const weight = policy.points[id];
    if (weight === undefined) return [];
    const seen = rule.look(context);
    const points = inCents(weight * (seen?.strength ?? 0)) / 100;
    return [{ id, rule, weight, ...(seen ? { seen } : {}), points }];
  });
  const found = new Map((evidence.bureau?.findings ?? []).map((finding) => [ruleId(finding), finding]));
  return [...ours, ...[...found.values()].map((finding) => ofBureau(finding, policy))];
}

export function isFiring({ seen }: Line): boolean {
  return seen !== undefined && seen.strength > 0;
}
