import { type BarSeriesOption, init, type LineSeriesOption } from 'echarts';

interface Axis {
  name: string;
  max?: number;
  /** The axis reaches this value even when all values are lower. */
  atLeast?: number;
  /** Text of a tick. */
  text?: (value: number) => string;
}

export interface Chart {
  title: string;
  x: Axis;
  y: Axis;
  /** The legend lists series with a name. */
  series: readonly (BarSeriesOption | LineSeriesOption)[];
}

const [width, height] = [500, 350];
const inner = { left: 76, top: 48, width: 394, height: 214 };
const headHeight = 70;

const ink = '#1f2430';
/** Blue and orange differ for all common kinds of color vision. Lines differ by dashes too. */
const styles = [{ color: '#1f6fb2' }, { color: '#d1560f', lineStyle: { type: 'dashed' } }] as const;
const theme = {
  backgroundColor: '#fff',
  textStyle: { fontFamily: 'system-ui, sans-serif' },
  title: { padding: 0, textStyle: { color: ink }, subtextStyle: { color: '#5b6372' } },
  line: { symbol: 'none' },
  valueAxis: { nameLocation: 'middle', nameTextStyle: { color: ink }, splitLine: { lineStyle: { color: '#e4e7ec' } } },
};

function toAxis({ name, max, atLeast, text }: Axis, gridIndex: number) {
  // Without values, the extent is NaN.
  const upTo = max ?? ((extent: { max: number }) => (atLeast && !(extent.max >= atLeast) ? atLeast : null));
  return {
    type: 'value',
    gridIndex,
    name,
    min: 0,
    max: upTo,
    ...(text && { axisLabel: { formatter: text } }),
  } as const;
}

/** Draws charts side by side as one SVG on white, under a title if there is one. All texts are escaped. */
export function renderCharts(charts: readonly Chart[], head?: { title: string; summary: string }): string {
  const top = head ? headHeight : 0;
  const size = { width: width * charts.length, height: top + height };
  const picture = init(null, theme, { renderer: 'svg', ssr: true, ...size });
  picture.setOption({
    animation: false,
    title: [
      ...(head ? [{ left: inner.left, top: 22, text: head.title, subtext: head.summary }] : []),
      ...charts.map(({ title: text }, index) => ({
        text,
        left: index * width + inner.left,
        top: top + 20,
        textStyle: { fontSize: 14 },
      })),
    ],
    grid: charts.map((_, index) => ({ ...inner, left: index * width + inner.left, top: top + inner.top })),
    xAxis: charts.map(({ x }, index) => ({
      ...toAxis(x, index),
      nameGap: 28,
      containShape: false,
      splitLine: { show: false },
    })),
    yAxis: charts.map(({ y }, index) => ({ ...toAxis(y, index), nameGap: 48 })),
    legend: charts.map(({ series }, index) => ({
      data: series.flatMap(({ name }) => name ?? []),
      left: index * width + inner.left,
      bottom: 12,
      padding: 0,
      icon: 'rect',
      itemGap: 28,
      itemWidth: 14,
    })),
    series: charts.flatMap(({ series }, index) =>
      series.map((one, place) => ({ ...styles[place], ...one, xAxisIndex: index, yAxisIndex: index })),
    ),
  });
  const svg = picture.renderToSVGString();
  picture.dispose();
  return `${svg}\n`;
}
