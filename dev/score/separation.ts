/** Scores of transactions of which it is known how they ended. */
export interface Labelled {
  good: readonly number[];
  bad: readonly number[];
}

/** How many of each label have one score. */
interface Step {
  score: number;
  good: number;
  bad: number;
}

/** Every score that occurs, the lowest first. */
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
 * Area under the ROC curve as the share of pairs of a good and a bad one in which the good one scores higher, a tie
 * counted half (Mann-Whitney). From 0 to 1; undefined without both labels.
 */
export function areaUnderCurve(labelled: Labelled): number | undefined {
  const pairs = labelled.good.length * labelled.bad.length;
  if (pairs === 0) return undefined;
  let badBelow = 0;
  let won = 0;
  for (const { good, bad } of stepsOf(labelled)) {
    won += good * (badBelow + bad / 2);
    badBelow += bad;
  }
  return won / pairs;
}

/** The greatest distance of two cumulative curves, 0 to 1, and the score up to which it is reached. */
export interface Distance {
  distance: number;
  at: number;
}

/** Kolmogorov-Smirnov distance of the two labels, at the lowest score that has it; undefined without both labels. */
export function greatestDistance(labelled: Labelled): Distance | undefined {
  const [goods, bads] = [labelled.good.length, labelled.bad.length];
  if (goods === 0 || bads === 0) return undefined;
  let [good, bad] = [0, 0];
  let greatest: Distance | undefined;
  for (const step of stepsOf(labelled)) {
    good += step.good;
    bad += step.bad;
    // Products of counts are exact where shares are not: equal distances stay equal.
    const distance = Math.abs(bad * goods - good * bads);
    if (!greatest || distance > greatest.distance) greatest = { distance, at: step.score };
  }
  return greatest && { ...greatest, distance: greatest.distance / (goods * bads) };
}
