import { h } from '../../pages/browser/elements.mjs';

// Logs, Temporal's UI and the counts by day use the same time zone.
const timeZone = 'UTC';
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });

export const zoneText = 'Times are UTC.';

/** The time of a day to the second, in UTC. */
export const formatTimeOfDay = (date) => timeFormat.format(date);

/** An instant to the second, in UTC. */
export const timeElement = (iso) => h('time', { datetime: iso, title: iso }, dateTimeFormat.format(new Date(iso)));

/** The time of day only. */
export const timeOfDayElement = (iso) => h('time', { datetime: iso, title: iso }, formatTimeOfDay(new Date(iso)));

const dayOf = (iso) => new Date(iso).toISOString().slice(0, 10);

/** Whether two instants are on the same day in UTC. */
export const isSameDay = (one, other) => dayOf(one) === dayOf(other);

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** The duration between two instants, in the two largest units: "2 min 5 s". */
export function durationText(from, to) {
  let remainingSeconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(remainingSeconds / size);
    remainingSeconds -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return 'under 1 s';
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}
