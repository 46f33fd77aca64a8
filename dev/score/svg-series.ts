import type { Label } from './parse-line';
import type { Distance } from './separation';
import type { Panel } from './svg-panel';

/** Scores that are drawn in one colour. */
export interface Series {
  label: Label | 'all';
  scores: readonly number[];
}

const bandWidth = 10;
const bandCount = 100 / bandWidth;

/** Room left at each side of a band, and between the bars of one band, in scores. */
const sideGap = 1;
const barGap = 0.3;

function sharesOf({ scores }: Series): number[] {
  const counts = Array.from({ length: bandCount }, () => 0);
  for (const score of scores) {
    const band = Math.min(bandCount - 1, Math.floor(score / bandWidth));
    counts[band] = (counts[band] ?? 0) + 1;
  }
  return counts.map((count) => count / Math.max(1, scores.length));
}

/** Bars of the share that each band has of its series, side by side. `shareMax` is the highest. */
export function drawBars(series: readonly Series[]): { shareMax: number; on: (panel: Panel) => string } {
  const shares = series.map(sharesOf);
  const breadth = (bandWidth - 2 * sideGap - (series.length - 1) * barGap) / series.length;
  const draw = ({ x, y }: Panel, share: number, band: number, place: number) => {
    const from = band * bandWidth + sideGap + place * (breadth + barGap);
    const box = `x="${x(from)}" y="${y(share)}" width="${(x(from + breadth) - x(from)).toFixed(2)}" height="${(y(0) - y(share)).toFixed(2)}"`;
    return `<rect class="${series[place]?.label} bar" ${box} rx="1.5"/>`;
  };
  return {
    // Without a score there is no highest; the axis still wants an end.
    shareMax: Math.max(0.05, ...shares.flat()),
    on: (panel) =>
      shares
        .flatMap((ofBands, place) =>
          ofBands.map((share, band) => (share === 0 ? '' : draw(panel, share, band, place))).filter(Boolean),
        )
        .join('\n'),
  };
}

/** Half a point apart is less than two pixels: no step of a curve is lost to the eye. */
const samples = Array.from({ length: 201 }, (_, index) => index / 2);

/** Share of the sorted scores that are at most each of the limits, which ascend. */
function cumulative(sorted: readonly number[], limits: readonly number[]): number[] {
  let below = 0;
  return limits.map((limit) => {
    while ((sorted[below] ?? Number.POSITIVE_INFINITY) <= limit) below += 1;
    return below / Math.max(1, sorted.length);
  });
}

const sortedOf = ({ scores }: Series) => scores.toSorted((left, right) => left - right);

function drawGap({ x, y }: Panel, { at, distance }: Distance, shares: readonly number[]): string {
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  // Curves only rise: left of the line, just above its lower end, there is room between them.
  const [shift, anchor] = at > 30 ? [-9, 'end'] : [9, 'start'];
  return (
    `<line class="gap" x1="${x(at)}" x2="${x(at)}" y1="${y(low)}" y2="${y(high)}"/>` +
    `<text class="mark" x="${x(at) + shift}" y="${y(low) - 8}" text-anchor="${anchor}">KS ${distance.toFixed(3)} at ${at}</text>`
  );
}

/** Cumulative curves, the distance of the two of them marked where it is greatest. */
export function drawCurves(series: readonly Series[], ks: Distance | undefined, panel: Panel): string {
  const curves = series.map((one) => {
    const shares = cumulative(sortedOf(one), samples);
    const points = samples.flatMap((score, index) => {
      const share = shares[index] ?? 0;
      // A step goes along first, then up, so that the line stands where the share changes.
      return [`${panel.x(score)},${panel.y(shares[index - 1] ?? 0)}`, `${panel.x(score)},${panel.y(share)}`];
    });
    return `<polyline class="${one.label} curve" points="${points.join(' ')}"/>`;
  });
  const gap = ks
    ? drawGap(
        panel,
        ks,
        series.map((one) => cumulative(sortedOf(one), [ks.at])[0] ?? 0),
      )
    : '';
  return [...curves, gap].filter(Boolean).join('\n');
}
