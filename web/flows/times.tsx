import { currentLanguage, locales } from '../app/language';
import { useStore } from '../app/store';
import { textsNow } from '../app/use-texts';
import { flowsTexts } from './flows-texts';

// All times are UTC, as in the logs, in the Temporal UI and in the counts by day.
const timeZone = 'UTC';

const locale = () => locales[currentLanguage.get()];

/** The time of day with seconds, in UTC. */
export const formatTimeOfDay = (date: Date): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'medium', timeZone }).format(date);

/** A date and a time with seconds, in UTC. `isTimeOfDay`: shows only the time, without the date. */
export function Instant({ iso, isTimeOfDay = false }: { iso: string; isTimeOfDay?: boolean }) {
  const language = useStore(currentLanguage);
  const format = new Intl.DateTimeFormat(locales[language], {
    ...(isTimeOfDay ? {} : { dateStyle: 'medium' }),
    ...{ timeStyle: 'medium', timeZone },
  });
  return (
    <time datetime={iso} title={iso}>
      {format.format(new Date(iso))}
    </time>
  );
}

const dayOf = (iso: string) => new Date(iso).toISOString().slice(0, 10);

/** Whether two instants are on the same day in UTC. */
export const isSameDay = (one: string, other: string): boolean => dayOf(one) === dayOf(other);

/** A day in a short form, such as "Sun 22", so that the table has room for seven days. */
export const formatDay = (day: string): string =>
  `${new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'short' }).format(new Date(day))} ${Number(day.slice(-2))}`;

/** Each unit with its length in seconds. */
const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units, such as "2 min 5 s". */
export function formatSeconds(seconds: number): string {
  let remaining = Math.max(0, Math.round(seconds));
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(remaining / size);
    remaining -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return textsNow(flowsTexts).run.underASecond;
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}

/** The duration between two instants. */
export const formatDuration = (from: string, to: string): string =>
  formatSeconds((Date.parse(to) - Date.parse(from)) / 1_000);

export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** The share of `count` flow runs in all `runs`, such as 12.5%. */
export const formatShare = (count: number, runs: number): string =>
  runs === 0
    ? '–'
    : new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(count / runs);
