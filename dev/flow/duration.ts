const units: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** Reads a time such as 90s, 2m, 1h30m or 3d, in seconds; undefined when it is none. */
export function readDuration(text: string): number | undefined {
  const whole = text.replaceAll(' ', '');
  if (!/^(\d+(s|min|m|h|d))+$/.test(whole)) return undefined;
  let seconds = 0;
  for (const [, count, unit = 's'] of whole.matchAll(/(\d+)(min|[smhd])/g))
    seconds += Number(count) * (units[unit] ?? 1);
  return seconds;
}

/** A moment of a run, from its beginning, such as +2m05s or +1d03h00m. */
export function tellMoment(seconds: number): string {
  const rest = Math.round(seconds);
  const parts = [
    [Math.floor(rest / 86_400), 'd'],
    [Math.floor(rest / 3_600) % 24, 'h'],
    [Math.floor(rest / 60) % 60, 'm'],
    [rest % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '+0s';
  // Beyond a day, seconds say nothing any more.
  const shown = parts.slice(first, first === 0 ? 3 : 4);
  return `+${shown.map(([count, unit], index) => (index === 0 ? `${count}` : `${count}`.padStart(2, '0')) + unit).join('')}`;
}
