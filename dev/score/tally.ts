import type { RuleId } from '../../domain/scoring/policy';
import { inCents, isFiring, type ScorecardLine } from '../../domain/scoring/evaluate-rules';
import type { Label } from './parse-line';

/** What one rule did over a file. */
export interface RuleCount {
  rule: ScorecardLine['rule'];
  weight: number;
  /** Transactions in which there was evidence to look at. */
  known: number;
  hits: number;
  hitsOf: Record<Label, number>;
  /** Sum of what it added, in hundredths of points. */
  cents: number;
}

/** Why lines could not be scored: the first of them, by number. */
export interface LineFault {
  line: number;
  reason: string;
}

/** Everything that is counted over a file. Holds scores and counts, nothing of a person. */
export interface Tally {
  scores: Record<Label | 'unlabelled', number[]>;
  rules: Map<RuleId, RuleCount>;
  unreadable: number;
  /** Transactions without an instant of their own. */
  undated: number;
  faults: LineFault[];
  /** How often each finder failed. */
  finderFaults: Map<string, number>;
}

/** More would not be read; one fault in the making of the file is behind most of them. */
const faultsMax = 20;

export function createTally(): Tally {
  return {
    scores: { good: [], bad: [], unlabelled: [] },
    rules: new Map(),
    unreadable: 0,
    undated: 0,
    faults: [],
    finderFaults: new Map(),
  };
}

export function countFault(tally: Tally, line: number, reason: string): void {
  tally.unreadable += 1;
  if (tally.faults.length < faultsMax) tally.faults.push({ line, reason });
}

export function countFinderFault({ finderFaults }: Tally, finder: string): void {
  finderFaults.set(finder, (finderFaults.get(finder) ?? 0) + 1);
}

/** Counts a scored transaction. */
export function countScore(
  tally: Tally,
  score: number,
  lines: readonly ScorecardLine[],
  label: Label | undefined,
): void {
  tally.scores[label ?? 'unlabelled'].push(score);
  for (const line of lines) {
    const { id, rule, weight, points, result } = line;
    const count = tally.rules.get(id) ?? { rule, weight, known: 0, hits: 0, hitsOf: { good: 0, bad: 0 }, cents: 0 };
    tally.rules.set(id, count);
    if (result) count.known += 1;
    if (!isFiring(line)) continue;
    count.hits += 1;
    if (label) count.hitsOf[label] += 1;
    count.cents += inCents(points);
  }
}
