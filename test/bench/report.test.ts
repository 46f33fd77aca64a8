import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { benchDefaults } from '../../bench/main';
import { MemoryCurve, residentMb } from '../../bench/report/memory-curve';
import { sparkline } from '../../bench/report/sparkline';
import { median, quantile, slope } from '../../bench/report/statistics';
import { formatTable } from '../../bench/report/table';
import type { Round } from '../../bench/links/run-rounds';
import { evaluateRounds, findSteadyRounds } from '../../bench/links/evaluate-rounds';

/** A round with one assessment. `queryMs`: the time of its query of the link graph. */
const roundOf = (ms: number, queryMs = 1, roundTrips = 3): Round => ({
  measurements: [{ kind: 'newcomer', ms, roundTrips, queryMs, queryRows: 0 }],
  processCpuMs: 0,
  counters: { rowsFetched: 0, pages: 0, pagesMissed: 0, backendCpuMs: 0 },
});

describe('figures', () => {
  it('a quantile uses the nearest rank, and a median uses the mean of the two middle values', () => {
    expect(quantile([5, 1, 4, 2, 3], 0.95)).toBe(5);
    expect(quantile([5, 1, 4, 2, 3], 0.2)).toBe(1);
    expect(median([4, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('the slope of points is the slope of their regression line', () => {
    expect(
      slope([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toBe(2);
    expect(
      slope([
        [0, 0],
        [1, 3],
        [2, 0],
      ]),
    ).toBe(0);
    expect(slope([[4, 7]])).toBe(0);
  });
});

describe('rounds of a benchmark', () => {
  it('rounds in which the small link graph took an unusual time are left out; if fewer than three would remain, all are used', () => {
    expect(findSteadyRounds([10, 11, 9, 30, 10].map((ms) => roundOf(ms)))).toEqual([0, 1, 2, 4]);
    expect(findSteadyRounds([10, 20, 30].map((ms) => roundOf(ms)))).toEqual([0, 1, 2]);
  });

  it.each([
    ['pass', 'slower by 50%', true, roundOf(15, 1.5)],
    ['fail', 'slower by more than 50%', false, roundOf(15.1)],
    ['pass', 'slower only in the graph query', true, roundOf(10, 1.6)],
    ['fail', 'queried more often', false, roundOf(10, 1, 4)],
  ])(
    'rounds of a benchmark %s if the large link graph, compared with the small one, is %s',
    (_result, _change, passes, largeRound) => {
      expect(evaluateRounds([roundOf(10)], [largeRound], 1).passed).toBe(passes);
    },
  );
});

describe('memory', () => {
  it('a memory curve gives the slope after the warm-up, the memory after an amount of work, and the peak', () => {
    const curve = new MemoryCurve();
    curve.points.push([0, 50], [100, 150], [200, 150], [300, 160]);
    expect(curve.slopeFrom(100)).toBeCloseTo(0.05);
    expect(curve.mbAt(250)).toBe(150);
    expect(curve.peakMb).toBe(160);
  });

  it('the memory of a process is readable while the process runs', () => {
    if (process.platform !== 'linux') return;
    expect(residentMb(process.pid)).toBeGreaterThan(10);
    expect(residentMb(2 ** 30)).toBeUndefined();
  });
});

describe('the output', () => {
  it('a sparkline is a row of bars, and each bar starts at zero', () => {
    expect(sparkline([0, 4, 8])).toBe('▁▅█');
    expect(
      sparkline(
        Array.from({ length: 500 }, () => 1),
        10,
      ),
    ).toBe('█'.repeat(10));
  });

  it('a table has aligned columns', () => {
    expect(
      formatTable(
        ['name', 'ms'],
        [
          ['a', '1'],
          ['longer', '22'],
        ],
      ),
    ).toBe(['| name   |  ms |', '| ------ | --: |', '| a      |   1 |', '| longer |  22 |'].join('\n'));
  });
});

test('the command `npm run bench` has the benches and the default options of bench/main.ts', () => {
  const usage = execFileSync(process.execPath, ['dev/bench.mjs', '--help'], { cwd: path.join(__dirname, '..', '..') });
  const lines = Object.entries(benchDefaults).map(([name, options]) => {
    const texts = Object.entries(options).map(([option, value]) => ` [--${option} ${value}]`);
    return `npm run bench -- ${name}${name === 'versions' ? ' --against FOLDER' : ''}${texts.join('')}`;
  });
  const found = Array.from(usage.toString().matchAll(/npm run bench -- .*/g), ([line]) => line);
  expect(found.toSorted()).toEqual(lines.toSorted());
});
