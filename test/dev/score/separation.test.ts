import * as fc from 'fast-check';
import { areaUnderCurve, greatestDistance, type LabeledScores } from '../../../dev/score/separation';

/** Few distinct values, as in the service, so ties are common. */
const anyScores = fc.array(
  fc.integer({ min: 0, max: 40 }).map((quarter) => quarter / 4),
  { minLength: 1, maxLength: 40 },
);
const anyLabeledScores = fc.record({ good: anyScores, bad: anyScores });

/** AUC: the probability that a random good score is higher than a random bad score. */
describe('AUC', () => {
  it.each<[string, number, LabeledScores]>([
    ['every bad score is below', 1, { good: [60, 70], bad: [10, 20, 30] }],
    ['every bad score is above', 0, { good: [10, 20], bad: [60, 70] }],
    ['all scores are equal', 0.5, { good: [50, 50], bad: [50] }],
    // The good score is higher in three of the four pairs. 3 and 3 is a tie.
    ['one tie among four pairs', 3.5 / 4, { good: [3, 5], bad: [2, 3] }],
    // Of the good scores, 1 is never higher (0), 2 has two ties (a tie counts half: 1), and 4 is always higher (3).
    ['two ties among nine pairs', 4 / 9, { good: [1, 2, 4], bad: [2, 2, 3] }],
    ['decimals', 0.75, { good: [48.25, 50.01], bad: [48.24, 50] }],
  ])('the AUC of this case (%s) is %d', (_, expected, labeled) => {
    expect(areaUnderCurve(labeled)).toBeCloseTo(expected, 12);
  });

  it('the AUC of scores and the AUC of the inverted scores add up to 1', () => {
    fc.assert(
      fc.property(anyLabeledScores, ({ good, bad }) => {
        const inverted = { good: good.map((score) => -score), bad: bad.map((score) => -score) };
        expect(areaUnderCurve(inverted)).toBeCloseTo(1 - (areaUnderCurve({ good, bad }) ?? Number.NaN), 12);
      }),
    );
  });

  it('the AUC is the share of pairs of a good and a bad score in which the good score is higher; a tie counts half', () => {
    fc.assert(
      fc.property(anyLabeledScores, ({ good, bad }) => {
        const pairs = good.flatMap((one) => bad.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)));
        const share = pairs.reduce((sum, pairShare) => sum + pairShare, 0) / pairs.length;
        expect(areaUnderCurve({ good, bad })).toBeCloseTo(share, 12);
      }),
    );
  });
});

/** KS: the largest difference, at any score, between the shares of bad and good scores up to this score. */
describe('KS', () => {
  it.each<[string, number, number, LabeledScores]>([
    ['separated labels, at the highest bad score', 1, 30, { good: [60, 70], bad: [10, 30] }],
    ['labels separated in reverse', 1, 20, { good: [10, 20], bad: [60, 70] }],
    ['all scores are equal', 0, 50, { good: [50, 50], bad: [50] }],
    // Up to 2: 2/3 of the bad and 1/4 of the good scores. Up to 3: all bad and 2/4 of the good scores.
    ['the largest of several distances', 0.5, 3, { good: [1, 3, 4, 5], bad: [1, 2, 3] }],
    // At 1 and at 3, the shares differ by 1/2. The lower score counts.
    ['the lowest score of equal distances', 0.5, 1, { good: [2, 4], bad: [1, 3] }],
    // Below 5, both shares are 0. At 5, both shares are 1.
    ['ties', 0, 5, { good: [5, 5], bad: [5, 5] }],
  ])('the KS of this case (%s) is %d, at the score %d', (_, distance, at, labeled) => {
    const result = greatestDistance(labeled);
    expect(result?.distance).toBeCloseTo(distance, 12);
    expect(result?.at).toBe(at);
  });

  it('the KS is the largest difference, at any score, between the shares of good and bad scores up to this score', () => {
    fc.assert(
      fc.property(anyLabeledScores, ({ good, bad }) => {
        const shareUpTo = (list: number[], limit: number) =>
          list.filter((score) => score <= limit).length / list.length;
        const distanceAt = (limit: number) => Math.abs(shareUpTo(good, limit) - shareUpTo(bad, limit));
        const result = greatestDistance({ good, bad });
        expect(result?.distance).toBeCloseTo(Math.max(...[...good, ...bad].map(distanceAt)), 12);
        expect(distanceAt(result?.at ?? Number.NaN)).toBeCloseTo(result?.distance ?? Number.NaN, 12);
      }),
    );
  });
});

it.each<LabeledScores>([
  { good: [], bad: [1] },
  { good: [1], bad: [] },
  { good: [], bad: [] },
])('AUC and KS are undefined without both labels: %j', (labeled) => {
  expect(areaUnderCurve(labeled)).toBeUndefined();
  expect(greatestDistance(labeled)).toBeUndefined();
});
