/** The quantile by the nearest-rank method. `probability`: from 0 to 1, such as 0.99 for the 99th percentile. NaN without values. */
export function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * probability) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle values; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

/** The mean; 0 without values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The slope of the straight line that fits the points best (least squares); 0 when all x are equal. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const squaredDeviations = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (squaredDeviations === 0) return 0;
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squaredDeviations;
}
