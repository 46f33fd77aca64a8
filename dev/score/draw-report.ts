import type { LineSeriesOption } from 'echarts';
import { renderCharts } from '../charts/render-charts';
import type { Report } from './report';
import type { CurveDistance } from './separation';
import type { Tally } from './tally';

/** The scores of one label, drawn in one color. */
interface Series {
  name: string;
  scores: readonly number[];
  /** Number of scores in each band. */
  counts: readonly number[];
}

function seriesOf({ bands }: Report, { good, bad, unlabeled }: Tally['scores']): Series[] {
  const labeled = [
    { label: 'good', scores: good, counts: bands.map((band) => band.good) },
    { label: 'bad', scores: bad, counts: bands.map((band) => band.bad) },
  ].filter(({ scores }) => scores.length > 0);
  const unlabeledSeries = { label: 'all', scores: unlabeled, counts: bands.map(({ count }) => count) };
  return (labeled.length > 0 ? labeled : [unlabeledSeries]).map(({ label, ...series }) => ({
    name: `${label} (${series.scores.length.toLocaleString('en')})`,
    ...series,
  }));
}

/**
 * For each score, the percentage of all scores that are equal or lower. Scores are rounded up to a multiple of 0.5, so that the SVG stays
 * small.
 */
function cumulative(scores: readonly number[]): [score: number, percent: number][] {
  const sorted = scores.toSorted((left, right) => left - right);
  const steps = sorted.map((score, index) => [Math.ceil(score * 2) / 2, (100 * (index + 1)) / sorted.length] as const);
  return [[0, 0], ...new Map(steps), [100, 100]];
}

const percentUpTo = (limit: number, scores: readonly number[]) =>
  (100 * scores.filter((score) => score <= limit).length) / scores.length;

/** The vertical line at the score with the greatest distance between the curves of good and bad (KS: Kolmogorov-Smirnov distance). */
function distanceLine({ at, distance }: CurveDistance, { good, bad }: Tally['scores']): LineSeriesOption {
  const shares = [percentUpTo(at, good), percentUpTo(at, bad)];
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return {
    type: 'line',
    data: [
      [at, high],
      [at, low],
    ],
    color: '#1f2430',
    lineStyle: { type: 'dotted' },
    // The label is at the lower end of the line, on its left side. Both curves rise from left to right, so on this side the lower curve is
    // below the label. Up to score 30, the left side has no room, so the label is on the right side.
    endLabel: {
      show: true,
      formatter: `KS ${distance.toFixed(3)} at ${at}`,
      ...(at > 30 && { align: 'right' }),
      offset: [at > 30 ? -14 : 0, low > 90 ? 12 : -12],
      textBorderColor: '#fff',
      textBorderWidth: 4,
    },
  };
}

function summaryOf({ transactions: { scored }, separation }: Report): string {
  const countText = `${scored.toLocaleString('en')} transactions scored`;
  if (!separation) return countText;
  const { auc, ks } = separation;
  return `${countText} · AUC ${auc.toFixed(3)} · KS ${ks.distance.toFixed(3)} at score ${ks.at}`;
}

const percent = (value: number) => `${value} %`;

/** Draws the scores of a file as SVG: the distribution of each label, and the cumulative curves with their KS distance. */
export function drawReport(report: Report, scores: Tally['scores']): string {
  const series = seriesOf(report, scores);
  const shareBase = series.length > 1 ? 'of each label' : 'of transactions';
  return renderCharts(
    [
      {
        title: 'Distribution of scores',
        x: { name: 'score, in bands of 10', max: 100 },
        y: { name: `share ${shareBase}`, suggestedMax: 5, formatTick: percent },
        series: series.map(({ name, scores: { length }, counts }) => ({
          type: 'bar',
          name,
          data: report.bands.map(({ from, to }, band) => [(from + to) / 2, (100 * (counts[band] ?? 0)) / length]),
        })),
      },
      {
        title: 'Cumulative share',
        x: { name: 'score', max: 100 },
        y: { name: `share ${shareBase} up to the score`, max: 100, formatTick: percent },
        series: [
          ...series.map((curve) => ({
            type: 'line' as const,
            name: curve.name,
            step: 'end' as const,
            data: cumulative(curve.scores),
          })),
          ...(report.separation ? [distanceLine(report.separation.ks, scores)] : []),
        ],
      },
    ],
    { title: `Scores under policy ${report.policy}`, summary: summaryOf(report) },
  );
}
