import { type Chart, renderCharts } from '../../../dev/charts/render-charts';

const axes = { x: { name: 'x', max: 100 }, y: { name: 'y' } };

/** The corners of the path with this color, in pixels. */
function readCorners(svg: string, color: string): number[][] {
  const path = new RegExp(`<path d="([^"]+)" fill="none"[^>]* stroke="${color}"`).exec(svg)?.[1] ?? '';
  return [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

it('a chart shows every point at the position that its values have on the axes', () => {
  const data = [
    [0, 0],
    [50, 5],
    [100, 10],
  ];
  const svg = renderCharts([{ title: 'One', ...axes, series: [{ type: 'line', name: 'a', data, color: '#123456' }] }]);
  const [low, middle, high] = readCorners(svg, '#123456');
  expect(low).toEqual([76, 262]);
  expect(high).toEqual([470, 48]);
  expect(middle).toEqual([(76 + 470) / 2, (262 + 48) / 2]);
});

it('several charts are side by side, each with its texts', () => {
  const buildChart = (name: string): Chart => {
    return { title: `of ${name}`, ...axes, series: [{ type: 'line', name, data: [[1, 1]] }] };
  };
  const svg = renderCharts([buildChart('first'), buildChart('second')], { title: 'Both', summary: 'in short' });
  expect(svg).toContain('<svg width="1000" height="420"');
  for (const text of ['Both', 'in short', 'of first', 'first', 'of second', 'second', 'x', 'y'])
    expect(svg).toContain(`>${text}</text>`);
});

it('an axis extends to `suggestedMax`, also in a chart without values', () => {
  const y = { name: 'MB', suggestedMax: 400 };
  for (const data of [[], [[1, 5]]]) {
    const svg = renderCharts([{ title: 'Memory', x: axes.x, y, series: [{ type: 'line', name: 'a', data }] }]);
    expect(svg).toContain('>400</text>');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  }
});

it('a chart escapes every text', () => {
  const markup = '<script>&"{a|b}';
  const svg = renderCharts(
    [
      {
        title: markup,
        x: { name: markup, formatTick: () => markup },
        y: { name: markup },
        series: [{ type: 'line', name: markup, data: [[1, 1]], endLabel: { show: true, formatter: markup } }],
      },
    ],
    { title: markup, summary: markup },
  );
  expect(svg).not.toContain('<script');
  // Title, summary, chart, two axes, legend, label, and at least one tick.
  expect(svg.split('>&lt;script&gt;&amp;&quot;{a|b}</text>').length - 1).toBeGreaterThanOrEqual(8);
});
