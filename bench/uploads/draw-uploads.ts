import type { MemoryCurve } from '../report/memory-curve';
import { quantile } from '../report/statistics';
import { drawCharts, type Series } from '../report/svg-chart';
import type { Phase, Round } from './run-phases';

/** Milliseconds by the share of reads that took no longer, up to 99 %. */
function latencyOf(name: string, phases: readonly Phase[], color: string): Series {
  const times = phases.flatMap(({ readings }) => readings.map(({ ms }) => ms));
  const points = Array.from({ length: 99 }, (_, index): [number, number] => [
    index + 1,
    quantile(times, (index + 1) / 100),
  ]);
  return { name, color, points };
}

/** The picture of a run: how long reads took in both phases of all rounds, and memory over the run. */
export function drawUploads(rounds: readonly Round[], memory: MemoryCurve): string {
  const begun = memory.points[0]?.[0] ?? 0;
  const overSeconds = memory.points.map(([at, mb]): [number, number] => [(at - begun) / 1_000, mb]);
  return drawCharts([
    {
      title: 'GET /v1/transaction/{id} with and without uploads',
      xLabel: '% of requests that took no longer',
      yLabel: 'ms',
      series: [
        latencyOf(
          'idle',
          rounds.map(({ idle }) => idle),
          '#2a78d6',
        ),
        latencyOf(
          'uploading',
          rounds.map(({ uploading }) => uploading),
          '#d65f2a',
        ),
      ],
    },
    {
      title: 'Memory of the API',
      xLabel: 'seconds',
      yLabel: 'MB',
      yAtLeast: 400,
      series: [{ name: 'resident', color: '#2a78d6', points: overSeconds }],
    },
  ]);
}
