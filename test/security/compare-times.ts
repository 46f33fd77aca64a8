import { mean, median } from '../../bench/report/statistics';

/** Times in milliseconds. */
export interface TimeComparison {
  /** How many calls of each function were measured. */
  samples: number;
  medians: [number, number];
  /** The difference of the medians, divided by the first median. */
  difference: number;
  /** The t statistic of Welch, without the slowest tenth of the calls of each function. A value below 4.5 shows no difference. */
  t: number;
}

const variance = (values: readonly number[]) => {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
};

/** Other programs, or pauses of this process, delay the slowest tenth of the calls. These delays would hide a small difference. */
const withoutSlowest = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right).slice(0, Math.floor(values.length * 0.9));

function compare(first: readonly number[], second: readonly number[]): TimeComparison {
  const medians: [number, number] = [median(first), median(second)];
  const [left, right] = [withoutSlowest(first), withoutSlowest(second)];
  const error = Math.sqrt(variance(left) / left.length + variance(right) / right.length);
  return {
    samples: first.length,
    medians,
    difference: Math.abs(medians[0] - medians[1]) / medians[0],
    t: Math.abs(mean(left) - mean(right)) / error,
  };
}

/** Each round calls both functions once, in a random order. `warmUp`: the number of earlier rounds that are not measured. */
export async function compareTimes(
  first: () => unknown,
  second: () => unknown,
  { samples, warmUp = 1_000 }: { samples: number; warmUp?: number },
): Promise<TimeComparison> {
  const times: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < samples; round += 1) {
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const index of order) {
      const startedAt = process.hrtime.bigint();
      const result = index === 0 ? first() : second();
      if (result instanceof Promise) await result;
      if (round >= 0) times[index as 0 | 1].push(Number(process.hrtime.bigint() - startedAt) / 1e6);
    }
  }
  return compare(...times);
}

/** One line of a report. S6 in docs/security.md: an attacker learns secrets from response times. */
export const describeComparison = (name: string, { samples, medians, difference, t }: TimeComparison): string =>
  `S6: ${name}: medians ${medians.map((value) => value.toFixed(4)).join(' and ')} ms, ` +
  `difference ${(100 * difference).toFixed(2)} %, t = ${t.toFixed(1)}, ${samples} samples each\n`;
