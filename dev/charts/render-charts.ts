import { type BarSeriesOption, init, type LineSeriesOption } from 'echarts';

interface Axis {
  name: string;
  max?: number;
  /** The axis reaches this value even when all values are lower. */
  suggestedMax?: number;
  /** The axis has these names instead of numbers. The values of each series have the same order. */
  categories?: readonly string[];
  /** Returns the text of a value on the axis. */
  formatTick?: (value: number) => string;
}

export interface Chart {
  title: string;
  x: Axis;
  y: Axis;
  /** The lines or bars of the chart. The legend lists only series that have a name. */
  series: readonly (BarSeriesOption | LineSeriesOption)[];
}

const [width, height] = [500, 350];
const plotArea = { left: 76, top: 48, width: 394, height: 214 };
const headingHeight = 70;

const textColor = '#1f2430';
/** The styles of the first and the second series. Color-blind people can distinguish the two colors, and the second line is dashed. */
const styles = [{ color: '#1f6fb2' }, { color: '#d1560f', lineStyle: { type: 'dashed' } }] as const;
const theme = {
  backgroundColor: '#fff',
  textStyle: { fontFamily: 'system-ui, sans-serif' },
  title: { padding: 0, textStyle: { color: textColor }, subtextStyle: { color: '#5b6372' } },
  line: { symbol: 'none' },
  valueAxis: {
    nameLocation: 'middle',
    nameTextStyle: { color: textColor },
    splitLine: { lineStyle: { color: '#e4e7ec' } },
  },
};

function toAxis({ name, max, suggestedMax, categories, formatTick }: Axis, gridIndex: number) {
  if (categories)
    return {
      type: 'category',
      gridIndex,
      name,
      data: [...categories],
      axisLabel: { interval: 0, fontSize: 10 },
    } as const;
  // If no series has values, `extent.max` is NaN, and `!(NaN >= suggestedMax)` is true. The axis then ends at `suggestedMax`.
  const axisMax =
    max ?? ((extent: { max: number }) => (suggestedMax && !(extent.max >= suggestedMax) ? suggestedMax : null));
  return {
    type: 'value',
    gridIndex,
    name,
    min: 0,
    max: axisMax,
    ...(formatTick && { axisLabel: { formatter: formatTick } }),
  } as const;
}

/** Draws charts side by side in one SVG with a white background. `heading` adds a title above them. Escapes all texts. */
export function renderCharts(charts: readonly Chart[], heading?: { title: string; summary: string }): string {
  const top = heading ? headingHeight : 0;
  const size = { width: width * charts.length, height: top + height };
  const chart = init(null, theme, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({
    animation: false,
    title: [
      ...(heading ? [{ left: plotArea.left, top: 22, text: heading.title, subtext: heading.summary }] : []),
      ...charts.map(({ title: text }, index) => ({
        text,
        left: index * width + plotArea.left,
        top: top + 20,
        textStyle: { fontSize: 14 },
      })),
    ],
    grid: charts.map((_, index) => ({ ...plotArea, left: index * width + plotArea.left, top: top + plotArea.top })),
    xAxis: charts.map(({ x }, index) => ({
      ...toAxis(x, index),
      nameGap: 28,
      containShape: false,
      splitLine: { show: false },
    })),
    yAxis: charts.map(({ y }, index) => ({ ...toAxis(y, index), nameGap: 48 })),
    legend: charts.map(({ series }, index) => ({
      data: series.flatMap(({ name }) => name ?? []),
      left: index * width + plotArea.left,
      bottom: 12,
      width: plotArea.width,
      padding: 0,
      icon: 'rect',
      itemGap: 28,
      itemWidth: 14,
    })),
    series: charts.flatMap(({ series }, index) =>
      series.map((one, seriesIndex) => ({ ...styles[seriesIndex], ...one, xAxisIndex: index, yAxisIndex: index })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
