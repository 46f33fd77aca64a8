const bars = '▁▂▃▄▅▆▇█';

/** A row of bars from 0 to the highest value. Each bar is the mean of one slice of the values. */
export function sparkline(values: readonly number[], width = 60): string {
  const columns = Math.min(width, values.length);
  const highest = Math.max(...values, Number.MIN_VALUE);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * values.length) / columns);
    const slice = values.slice(from, Math.max(from + 1, Math.floor(((column + 1) * values.length) / columns)));
    const level = slice.reduce((sum, value) => sum + value, 0) / slice.length / highest;
    return bars[Math.min(bars.length - 1, Math.floor(level * bars.length))];
  }).join('');
}
