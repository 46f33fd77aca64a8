import type { BarSeriesOption } from 'echarts';
import { renderCharts } from '../../dev/charts/render-charts';
import { medianCpuMs, medianRate, type PeersResult } from './peers-report';
import { definitionOf, type Operation, processGroups, type SideName, sideNames } from './sides';

/** Color-blind people can distinguish these colors, in this order (Okabe and Ito). */
const colors = ['#1f6fb2', '#d1560f', '#009e73', '#cc79a7', '#f0c419', '#5b6372'];
const drawnOperations: readonly Operation[] = ['create', 'send', 'right'];
const operationLabels = ['create', 'send', 'check'];

const senders = sideNames.filter((name) => definitionOf(name).sender);
const shortTitles: Partial<Record<SideName, string>> = { temporal: 'Temporal', plain: 'Express' };
const titles = senders.map((name) => shortTitles[name] ?? definitionOf(name).title);

const bars = (name: string, color: string | undefined, values: readonly number[], stack?: string): BarSeriesOption => ({
  type: 'bar',
  name,
  data: values.map((value) => Math.round(value * 100) / 100),
  ...(color && { color }),
  ...(stack && { stack }),
});

/** Draws the rates of all sides, the CPU time of a send, and what ten kills left behind, as one SVG. */
export function drawPeers(result: PeersResult): string {
  const killValues = (read: (figures: PeersResult['kills'][number]) => number) =>
    senders.map((side) => {
      const figures = result.kills.find((one) => one.side === side);
      return figures ? read(figures) : 0;
    });
  return renderCharts([
    {
      title: 'Rate of each operation',
      x: { name: '', categories: operationLabels },
      y: { name: 'per second' },
      series: senders.map((side, index) =>
        bars(
          titles[index] ?? side,
          colors[index],
          drawnOperations.map((operation) => medianRate(result, side, operation)),
        ),
      ),
    },
    {
      title: 'CPU time of a send',
      x: { name: '', categories: titles },
      y: { name: 'ms' },
      series: processGroups.map((group, index) =>
        bars(
          group,
          colors[index],
          senders.map((side) => medianCpuMs(result, side, 'send', group) ?? 0),
          'cpu',
        ),
      ),
    },
    {
      title: 'Sends while the sending process is killed',
      x: { name: '', categories: titles },
      y: { name: 'sends', suggestedMax: 5 },
      series: [
        bars(
          'lost',
          colors[0],
          killValues(({ lost }) => lost),
          'kills',
        ),
        bars(
          'doubled',
          colors[1],
          killValues(({ doubled }) => doubled),
          'kills',
        ),
        bars(
          'sent, not recorded',
          colors[2],
          killValues(({ unrecorded }) => unrecorded),
          'kills',
        ),
      ],
    },
  ]);
}
