/** Scores of labelled transactions. */
export interface Labelled {
  good: readonly number[];
  bad: readonly number[];
}

/** The number of transactions of each label with one score. */
interface Step {
  score: number;
  good: number;
  bad: number;
}

/** All scores that occur, lowest first. */
function stepsOf({ good, bad }: Labelled): Step[] {
  const steps = new Map<number, Step>();
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
 * The area under the ROC curve, from 0 to 1; undefined without both labels. It is the share of pairs of a good and a bad one in
 * which the good one scores higher. A tie counts half (Mann-Whitney).
 */
export function areaUnderCurve(labelled: Labelled): number | undefined {
  const pairs = labelled.good.length * labelled.bad.length;
  if (pairs === 0) return undefined;
  let badBelow = 0;
  let wins = 0;
  for (const { good, bad } of stepsOf(labelled)) {
    wins += good * (badBelow + bad / 2);
    badBelow += bad;
  }
  return wins / pairs;
}

/** The greatest distance of two cumulative curves, from 0 to 1, and its score. */
export interface Distance {
  distance: number;
  at: number;
}

/** The Kolmogorov-Smirnov distance of the two labels, at the lowest score that has it; undefined without both labels. */
export function greatestDistance(labelled: Labelled): Distance | undefined {
  const [goods, bads] = [labelled.good.length, labelled.bad.length];
  if (goods === 0 || bads === 0) return undefined;
  let [good, bad] = [0, 0];
  let greatest: Distance | undefined;
  for (const step of stepsOf(labelled)) {
    good += step.good;
    bad += step.bad;
    // Products of counts are exact, so equal distances stay equal.
    const distance = Math.abs(bad * goods - good * bads);
    if (!greatest || distance > greatest.distance) greatest = { distance, at: step.score };
  }
  return greatest && { ...greatest, distance: greatest.distance / (goods * bads) };
}
