import type { Relevance } from '../../domain/analysis';
import type { Language } from '../../domain/language';
import { catalogue } from '../../domain/scoring/catalogue';
import type { Policy, RuleId } from '../../domain/scoring/policy';
import { ruleId } from '../../domain/scoring/rule';
import type { Label } from './parse-line';
import { areaUnderCurve, type Distance, greatestDistance } from './separation';
import type { LineFault, RuleCount, Tally } from './tally';

/** How many scores lie from `from` (included) to `to`, which only the last band includes. */
export interface Band {
  from: number;
  to: number;
  count: number;
  good: number;
  bad: number;
}

/** One rule over the file. Shares are of the transactions scored, or of those with the label; from 0 to 1. */
export interface RuleReport {
  code: string;
  relevance: Relevance;
  description: string;
  /** Points that the policy gives when the rule holds wholly. */
  weight: number;
  /** Share with evidence to look at. */
  known: number;
  hits: number;
  share: number;
  /** What it added on average where it held; 0 without hits. */
  meanPoints: number;
  shareOf?: Record<Label, number>;
}

/** Everything that a run tells: the form of --json. */
export interface Report {
  policy: string;
  elapsedMs: number;
  ownFacts: 'counted' | 'left out';
  /** Evidence that the service may have and this run has not. */
  notAsked: readonly ['dns', 'bureau'];
  /** `undated`: those placed a minute apart, because their lines have no createdAt. */
  transactions: { scored: number; unreadable: number; undated: number; good: number; bad: number };
  /** Rules of the service that the policy does not run. */
  notInPolicy: RuleId[];
  faults: LineFault[];
  finderFaults: Record<string, number>;
  bands: Band[];
  rules: RuleReport[];
  /** Only with both labels. */
  separation?: { auc: number; ks: Distance };
}

const bandWidth = 10;

function bandsOf({ good, bad, unlabelled }: Tally['scores']): Band[] {
  const bands = Array.from({ length: 100 / bandWidth }, (_, index): Band => {
    return { from: index * bandWidth, to: (index + 1) * bandWidth, count: 0, good: 0, bad: 0 };
  });
  const bandOf = (score: number) => bands[Math.min(bands.length - 1, Math.floor(score / bandWidth))];
  for (const [scores, fields] of [
    [good, ['count', 'good']],
    [bad, ['count', 'bad']],
    [unlabelled, ['count']],
  ] as const) {
    for (const score of scores) {
      const band = bandOf(score);
      if (band) for (const field of fields) band[field] += 1;
    }
  }
  return bands;
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

/** What a run has found, with the words of a language. */
export function toReport(
  tally: Tally,
  {
    policy,
    withFacts,
    language,
    elapsedMs,
  }: { policy: Policy; withFacts: boolean; language: Language; elapsedMs: number },
): Report {
  const { good, bad, unlabelled } = tally.scores;
  const scored = good.length + bad.length + unlabelled.length;
  const labelled = good.length + bad.length > 0;
  const [auc, ks] = [areaUnderCurve(tally.scores), greatestDistance(tally.scores)];
  const toRule = ({ rule, weight, known, hits, hitsOf, cents }: RuleCount): RuleReport => ({
    code: rule.code,
    relevance: rule.relevance,
    description: rule.text[language],
    weight,
    known: shareOf(known, scored),
    hits,
    share: shareOf(hits, scored),
    meanPoints: Math.round(shareOf(cents, hits)) / 100,
    ...(labelled ? { shareOf: { good: shareOf(hitsOf.good, good.length), bad: shareOf(hitsOf.bad, bad.length) } } : {}),
  });
  return {
    policy: policy.version,
    elapsedMs,
    ownFacts: withFacts ? 'counted' : 'left out',
    notAsked: ['dns', 'bureau'],
    transactions: { scored, unreadable: tally.unreadable, undated: tally.undated, good: good.length, bad: bad.length },
    notInPolicy: catalogue.map(ruleId).filter((id) => policy.points[id] === undefined),
    faults: tally.faults,
    finderFaults: Object.fromEntries(tally.finderFaults),
    bands: bandsOf(tally.scores),
    rules: [...tally.rules.values()].map(toRule),
    ...(auc === undefined || !ks ? {} : { separation: { auc, ks } }),
  };
}
