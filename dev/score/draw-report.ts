import type { Report } from './report';
import { drawBars, drawCurves, type Series } from './svg-series';
import { escapeXml, makePanel } from './svg-panel';
import type { Tally } from './tally';

const size = { width: 1000, height: 480 } as const;
const frames = {
  bars: { left: 84, top: 142, width: 386, height: 260 },
  curves: { left: 584, top: 142, width: 386, height: 260 },
} as const;

/** Blue and orange are told apart by all common kinds of colour vision; the pair of each scheme stands out from its ground. */
const style = `
  svg { --ground: #ffffff; --ink: #1f2430; --soft: #5b6372; --grid: #e4e7ec; --axis: #9aa2af; --good: #1f6fb2; --bad: #d1560f; }
  @media (prefers-color-scheme: dark) {
    svg { --ground: #14171d; --ink: #e8ebf0; --soft: #a4acba; --grid: #2a303a; --axis: #667082; --good: #62aef0; --bad: #ff9a52; }
  }
  text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); }
  .title { font-size: 19px; font-weight: 600; fill: var(--ink); }
  .heading { font-size: 14px; font-weight: 600; fill: var(--ink); }
  .legend, .mark { fill: var(--ink); }
  .mark { paint-order: stroke; stroke: var(--ground); stroke-width: 5px; stroke-linejoin: round; }
  .ground { fill: var(--ground); }
  .grid { stroke: var(--grid); }
  .axis { stroke: var(--axis); }
  .gap { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 3 3; }
  .good.bar, .all.bar { fill: var(--good); }
  .bad.bar { fill: var(--bad); }
  .curve { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
  .good.curve, .all.curve { stroke: var(--good); }
  .bad.curve { stroke: var(--bad); stroke-dasharray: 7 3; }
`;

function seriesOf({ good, bad, unlabelled }: Tally['scores']): Series[] {
  const labelled = [
    { label: 'bad', scores: bad },
    { label: 'good', scores: good },
  ] as const;
  const present = labelled.filter(({ scores }) => scores.length > 0);
  return present.length > 0 ? present : [{ label: 'all', scores: unlabelled }];
}

function legend(series: readonly Series[]): string {
  const entry = ({ label, scores }: Series, index: number) => {
    const left = size.width - 30 - (series.length - index) * 130;
    const words = `${label} (${scores.length.toLocaleString('en')})`;
    return (
      `<rect class="${label} bar" x="${left}" y="36" width="14" height="14" rx="3"/>` +
      `<text class="legend" x="${left + 21}" y="48">${words}</text>`
    );
  };
  return series.map(entry).join('\n');
}

/** Words of the picture's head, shown beside it by what reads pictures out. */
function summaryOf({ transactions: { scored }, separation }: Report): string {
  const counted = `${scored.toLocaleString('en')} transactions scored`;
  if (!separation) return counted;
  const { auc, ks } = separation;
  return `${counted} · AUC ${auc.toFixed(3)} · KS ${ks.distance.toFixed(3)} at score ${ks.at}`;
}

/** The scores of a run as an SVG: how each label is spread, and its cumulative curve with the KS distance marked. */
export function drawReport(report: Report, scores: Tally['scores']): string {
  const series = seriesOf(scores);
  const of = series.length > 1 ? 'of each label' : 'of transactions';
  const bars = drawBars(series);
  const left = makePanel(frames.bars, {
    heading: 'Where scores lie',
    shareMax: bars.shareMax,
    along: 'score, in bands of 10',
    upwards: `share ${of}`,
  });
  const right = makePanel(frames.curves, {
    heading: 'How many score so low',
    shareMax: 1,
    along: 'score',
    upwards: `share ${of} up to the score`,
  });
  const title = `Scores under policy ${escapeXml(report.policy)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img">`,
    `<title>${title}</title><desc>${summaryOf(report)}</desc>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${size.width}" height="${size.height}" rx="10"/>`,
    `<text class="title" x="30" y="48">${title}</text>`,
    `<text x="30" y="74">${summaryOf(report)}</text>`,
    legend(series),
    left.drawing,
    bars.on(left),
    right.drawing,
    drawCurves(series, report.separation?.ks, right),
    '</svg>',
    '',
  ].join('\n');
}
