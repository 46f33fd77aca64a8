import type { LineSeriesOption } from 'echarts';
import { renderCharts } from '../../dev/charts/render-charts';
import type { MemoryCurve } from '../report/memory-curve';
import { quantile } from '../report/statistics';
import type { SideResult } from './links-report';

/** The line of one graph: the percentiles 1 to 99 of the time per assessment. */
function latencySeries({ side, rounds }: SideResult): LineSeriesOption {
  const times = rounds.flatMap(({ measurements }) => measurements.map(({ ms }) => ms));
  const data = Array.from({ length: 99 }, (_, index) => [index + 1, quantile(times, (index + 1) / 100)]);
  return { type: 'line', name: side.population.size.toLocaleString('en'), data };
}

/** Draws the results as SVG: the time per assessment on both graphs, and the memory while the large graph was loaded. */
export function drawLinks(small: SideResult, large: SideResult, loading: MemoryCurve): string {
  return renderCharts([
    {
      title: 'Time per assessment by size of the graph',
      x: { name: '% of assessments that took no longer', max: 100 },
      y: { name: 'ms' },
      series: [latencySeries(small), latencySeries(large)],
    },
    {
      title: 'Memory of the process while loading',
      x: { name: 'transactions loaded', formatTick: (x) => (x >= 1e6 ? `${x / 1e6} M` : `${x / 1e3} k`) },
      // Without `suggestedMax`, the axis ends at the highest value, and a small growth looks large.
      y: { name: 'MB', suggestedMax: 400 },
      series: [{ type: 'line', name: 'resident', data: loading.points }],
    },
  ]);
}
