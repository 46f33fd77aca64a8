import type { RuleId } from '../../domain/scoring/policy';
import { toHundredths, ruleHolds, type EvaluatedRule } from '../../domain/scoring/score';
import type { Label } from './parse-line';

/** The counts of one rule over a file. */
export interface RuleCount {
  rule: EvaluatedRule['rule'];
  /** Points of the policy when the rule holds completely. */
  weight: number;
  /** Transactions with evidence for the rule. */
  withEvidence: number;
  /** Number of transactions for which the rule holds. */
  hits: number;
  /** Number of transactions with each label for which the rule holds. */
  hitsOf: Record<Label, number>;
  /** The sum of the rule's points, in hundredths of a point. */
  pointsInHundredths: number;
}

/** Why a line could not be scored. */
export interface LineIssue {
  line: number;
  reason: string;
}

/** The counts of a file. Contains no personal data. */
export interface Tally {
  scores: Record<Label | 'unlabeled', number[]>;
  rules: Map<RuleId, RuleCount>;
  unscoredLines: number;
  /** Transactions without createdAt. */
  undated: number;
  issues: LineIssue[];
  /** How many times the search for each kind of evidence failed. */
  evidenceErrors: Map<string, number>;
}

/** At most this many issues are kept for the report, because many issues often have the same cause. */
const issuesMax = 20;

export function createTally(): Tally {
  return {
    scores: { good: [], bad: [], unlabeled: [] },
    rules: new Map(),
    unscoredLines: 0,
    undated: 0,
    issues: [],
    evidenceErrors: new Map(),
  };
}

export function countIssue(tally: Tally, line: number, reason: string): void {
  tally.unscoredLines += 1;
  if (tally.issues.length < issuesMax) tally.issues.push({ line, reason });
}

export function countEvidenceError({ evidenceErrors }: Tally, finder: string): void {
  evidenceErrors.set(finder, (evidenceErrors.get(finder) ?? 0) + 1);
}

/** Counts a scored transaction. */
export function countScore(
  tally: Tally,
  score: number,
  evaluatedRules: readonly EvaluatedRule[],
  label: Label | undefined,
): void {
  tally.scores[label ?? 'unlabeled'].push(score);
  for (const evaluatedRule of evaluatedRules) {
    const { id, rule, weight, points, result } = evaluatedRule;
    const count = tally.rules.get(id) ?? {
      rule,
      weight,
      withEvidence: 0,
      hits: 0,
      hitsOf: { good: 0, bad: 0 },
      pointsInHundredths: 0,
    };
    tally.rules.set(id, count);
    if (result) count.withEvidence += 1;
    if (!ruleHolds(evaluatedRule)) continue;
    count.hits += 1;
    if (label) count.hitsOf[label] += 1;
    count.pointsInHundredths += toHundredths(points);
  }
}
