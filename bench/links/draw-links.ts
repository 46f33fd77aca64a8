import type { MemoryCurve } from '../report/memory-curve';
import { quantile } from '../report/statistics';
import { drawCharts, type Series } from '../report/svg-chart';
import type { SideResult } from './links-report';

/** Milliseconds by the share of assessments that took no longer, up to 99 %. */
function latencyOf({ side, rounds }: SideResult, color: string): Series {
  const times = rounds.flatMap(({ measured }) => measured.map(({ ms }) => ms));
  const points = Array.from({ length: 99 }, (_, index): [number, number] => [
    index + 1,
    quantile(times, (index + 1) / 100),
  ]);
  return { name: side.population.size.toLocaleString('en'), color, points };
}

/** The picture of a run: latency on both graphs, and memory while the large one was loaded. */
export function drawLinks(small: SideResult, large: SideResult, loading: MemoryCurve): string {
  return drawCharts([
    {
      title: 'Time per assessment by size of the graph',
      xLabel: '% of assessments that took no longer',
      yLabel: 'ms',
      series: [latencyOf(small, '#2a78d6'), latencyOf(large, '#d65f2a')],
    },
    {
      title: 'Memory of the process while loading',
      xLabel: 'transactions loaded',
      yLabel: 'MB',
      // A process that stays below it has nothing to be drawn as a mountain.
      yAtLeast: 400,
      xText: (x) => (x >= 1e6 ? `${x / 1e6} M` : `${x / 1e3} k`),
      series: [{ name: 'resident', color: '#2a78d6', points: loading.points }],
    },
  ]);
}
