/** Scores of labeled transactions. */
export interface LabeledScores {
  good: readonly number[];
  bad: readonly number[];
}

/** How many good and how many bad transactions have this score. */
interface ScoreCount {
  score: number;
  good: number;
  bad: number;
}

/** Counts the transactions of each score, lowest score first. */
function countByScore({ good, bad }: LabeledScores): ScoreCount[] {
  const steps = new Map<number, ScoreCount>();
  for (const [label, scores] of [['good', good] as const, ['bad', bad] as const]) {
    for (const score of scores) {
      const step = steps.get(score) ?? { score, good: 0, bad: 0 };
      step[label] += 1;
      steps.set(score, step);
    }
  }
  return [...steps.values()].toSorted((left, right) => left.score - right.score);
}

/**
 * The area under the ROC curve, from 0 to 1; undefined without both labels. A pair is one good and one bad transaction. The area is the
 * share of all pairs in which the good transaction has the higher score. A pair with equal scores counts half (Mann-Whitney).
 */
export function areaUnderCurve(labeled: LabeledScores): number | undefined {
  const pairs = labeled.good.length * labeled.bad.length;
  if (pairs === 0) return undefined;
  let badBelow = 0;
  let wins = 0;
  for (const { good, bad } of countByScore(labeled)) {
    wins += good * (badBelow + bad / 2);
    badBelow += bad;
  }
  return wins / pairs;
}

/** The greatest distance between two cumulative curves, from 0 to 1, and the score at which it occurs. */
export interface CurveDistance {
  distance: number;
  at: number;
}

/**
 * The Kolmogorov-Smirnov distance: the greatest distance between the cumulative curves of both labels. If several scores have this
 * distance, returns the lowest of these scores. Undefined without both labels.
 */
export function greatestDistance(labeled: LabeledScores): CurveDistance | undefined {
  const [goodTotal, badTotal] = [labeled.good.length, labeled.bad.length];
  if (goodTotal === 0 || badTotal === 0) return undefined;
  let [good, bad] = [0, 0];
  let greatest: CurveDistance | undefined;
  for (const step of countByScore(labeled)) {
    good += step.good;
    bad += step.bad;
    // Whole numbers are exact. With fractions, two equal distances could differ by rounding, and the wrong score could be chosen.
    const distance = Math.abs(bad * goodTotal - good * badTotal);
    if (!greatest || distance > greatest.distance) greatest = { distance, at: step.score };
  }
  return greatest && { ...greatest, distance: greatest.distance / (goodTotal * badTotal) };
}
