export interface Series {
  name: string;
  color: string;
  points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  title: string;
  xLabel: string;
  yLabel: string;
  series: readonly Series[];
  /** The least top of the y axis, so that a small ripple is not drawn as a mountain. */
  yAtLeast?: number;
  /** How a mark of the x axis reads. */
  xText?: (x: number) => string;
}

const size = { width: 460, height: 300, left: 56, right: 20, top: 44, bottom: 66 };
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x: number, y: number, words: string, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escape(words)}</text>`;

/** 1, 2 or 5 times a power of ten: the step with which an axis gets about five marks. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  return power * ([1, 2, 5, 10].find((factor) => span / (factor * power) <= 6) ?? 10);
}

function marks(end: number): number[] {
  const step = stepOf(end);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => index * step);
}

function drawChart({ title, xLabel, yLabel, series, yAtLeast = 0, xText }: Chart): string {
  const all = series.flatMap(({ points }) => points);
  const xEnd = Math.max(...all.map(([x]) => x), Number.MIN_VALUE);
  const yEnd = Math.max(...all.map(([, y]) => y), yAtLeast, Number.MIN_VALUE) * 1.05;
  const x = (value: number) => size.left + (value / xEnd) * inner.width;
  const y = (value: number) => size.top + inner.height - (value / yEnd) * inner.height;
  const numbers = xText ?? ((value: number) => value.toLocaleString('en'));
  const bottom = size.top + inner.height;
  return [
    text(size.left, 24, title, 'class="title"'),
    ...marks(yEnd).flatMap((value) => [
      `<path class="grid" d="M${size.left} ${y(value).toFixed(1)}h${inner.width}"/>`,
      text(size.left - 8, y(value) + 4, value.toLocaleString('en'), 'text-anchor="end"'),
    ]),
    ...marks(xEnd).map((value) => text(x(value), bottom + 18, numbers(value), 'text-anchor="middle"')),
    text(size.left + inner.width / 2, bottom + 36, xLabel, 'text-anchor="middle"'),
    text(0, 0, yLabel, `text-anchor="middle" transform="translate(14 ${size.top + inner.height / 2}) rotate(-90)"`),
    ...series.map(({ points, color }) => {
      const path = points
        .map(([left, up], index) => `${index ? 'L' : 'M'}${x(left).toFixed(1)} ${y(up).toFixed(1)}`)
        .join('');
      return `<path class="line" stroke="${color}" d="${path}"/>`;
    }),
    ...series.flatMap(({ name, color }, index) => [
      `<rect x="${size.left + index * 130}" y="${size.height - 20}" width="12" height="4" fill="${color}"/>`,
      text(size.left + 18 + index * 130, size.height - 14, name),
    ]),
  ].join('\n');
}

/** An SVG picture of charts side by side, on a ground of its own so that it reads on light and dark pages. */
export function drawCharts(charts: readonly Chart[]): string {
  const width = size.width * charts.length;
  const style =
    'text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px;fill:#111}' +
    '.grid{stroke:#ddd;fill:none}.line{fill:none;stroke-width:2;stroke-linejoin:round}';
  const groups = charts.map(
    (chart, index) => `<g transform="translate(${index * size.width} 0)">\n${drawChart(chart)}\n</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${size.height}" width="${width}" height="${size.height}">
<style>${style}</style>
<rect width="100%" height="100%" fill="#fff"/>
${groups.join('\n')}
</svg>
`;
}
