import type { Relevance } from '../../domain/scoring/results';
import type { Language } from '../../domain/transactions/input';
import { catalogue } from '../../domain/scoring/score';
import type { Policy, RuleId } from '../../domain/scoring/policy';
import { ruleId } from '../../domain/scoring/rule';
import type { Label } from './parse-line';
import { areaUnderCurve, type CurveDistance, greatestDistance } from './separation';
import type { LineIssue, RuleCount, Tally } from './tally';

/**
 * A range of scores, from `from` (included) to `to` (excluded, except in the last band). `count`: the number of scores in this range.
 * `good`: how many of these scores have the label `good`. `bad`: the same for the label `bad`.
 */
export interface Band {
  from: number;
  to: number;
  count: number;
  good: number;
  bad: number;
}

/** The counts of one rule in the file. All shares are from 0 to 1. */
export interface RuleReport {
  code: string;
  relevance: Relevance;
  description: string;
  /** Points of the policy when the rule holds completely. */
  weight: number;
  /** The share of scored transactions with evidence for the rule. */
  knownShare: number;
  /**
   * The number of transactions for which the rule holds. `share`: this number divided by the number of all scored transactions. `shareOf`:
   * the same share among the transactions with each label.
   */
  hits: number;
  share: number;
  /** Average points of the rule, over the transactions for which it holds; 0 if there are none. */
  meanPoints: number;
  shareOf?: Record<Label, number>;
}

/** The report of one file, as --json prints it. */
export interface Report {
  /** The version of the policy. */
  policy: string;
  elapsedMs: number;
  /** Whether the facts of a transaction counted in its own score (--with-facts). */
  ownFacts: 'counted' | 'not counted';
  /** Sources of evidence that the service may query, and that this command does not query. */
  notQueried: readonly ['dns', 'bureau'];
  /** `undated`: lines without createdAt. */
  transactions: { scored: number; unreadable: number; undated: number; good: number; bad: number };
  /** Rules of the service that the policy does not use. */
  notInPolicy: RuleId[];
  issues: LineIssue[];
  /** How many times the search for each kind of evidence failed. */
  evidenceErrors: Record<string, number>;
  bands: Band[];
  rules: RuleReport[];
  /** Present when both labels occur. */
  separation?: { auc: number; ks: CurveDistance };
}

const bandWidth = 10;

function bandsOf({ good, bad, unlabeled }: Tally['scores']): Band[] {
  const bands = Array.from({ length: 100 / bandWidth }, (_, index): Band => {
    return { from: index * bandWidth, to: (index + 1) * bandWidth, count: 0, good: 0, bad: 0 };
  });
  const bandOf = (score: number) => bands[Math.min(bands.length - 1, Math.floor(score / bandWidth))];
  for (const [scores, fields] of [
    [good, ['count', 'good']],
    [bad, ['count', 'bad']],
    [unlabeled, ['count']],
  ] as const) {
    for (const score of scores) {
      const band = bandOf(score);
      if (band) for (const field of fields) band[field] += 1;
    }
  }
  return bands;
}

const ratioOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

/** The report of a tally, with texts in one language. */
export function toReport(
  tally: Tally,
  {
    policy,
    withFacts,
    language,
    elapsedMs,
  }: { policy: Policy; withFacts: boolean; language: Language; elapsedMs: number },
): Report {
  const { good, bad, unlabeled } = tally.scores;
  const scored = good.length + bad.length + unlabeled.length;
  const labeled = good.length + bad.length > 0;
  const [auc, ks] = [areaUnderCurve(tally.scores), greatestDistance(tally.scores)];
  const toRuleReport = ({ rule, weight, withEvidence, hits, hitsOf, pointsInHundredths }: RuleCount): RuleReport => ({
    code: rule.code,
    relevance: rule.relevance,
    description: rule.text[language],
    weight,
    knownShare: ratioOf(withEvidence, scored),
    hits,
    share: ratioOf(hits, scored),
    meanPoints: Math.round(ratioOf(pointsInHundredths, hits)) / 100,
    ...(labeled ? { shareOf: { good: ratioOf(hitsOf.good, good.length), bad: ratioOf(hitsOf.bad, bad.length) } } : {}),
  });
  return {
    policy: policy.version,
    elapsedMs,
    ownFacts: withFacts ? 'counted' : 'not counted',
    notQueried: ['dns', 'bureau'],
    transactions: {
      scored,
      unreadable: tally.unscoredLines,
      undated: tally.undated,
      good: good.length,
      bad: bad.length,
    },
    notInPolicy: catalogue.map(ruleId).filter((id) => policy.points[id] === undefined),
    issues: tally.issues,
    evidenceErrors: Object.fromEntries(tally.evidenceErrors),
    bands: bandsOf(tally.scores),
    rules: [...tally.rules.values()].map(toRuleReport),
    ...(auc === undefined || !ks ? {} : { separation: { auc, ks } }),
  };
}
