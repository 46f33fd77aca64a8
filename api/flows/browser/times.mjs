import { h } from '../../pages/browser/elements.mjs';

// As in logs, Temporal's UI and the counts by day.
const timeZone = 'UTC';
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
const ofDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });

export const zoneText = 'Times are UTC.';

/** The time of a day to the second, in UTC. */
export const clock = (date) => ofDay.format(date);

/** An instant to the second, in UTC. */
export const moment = (iso) => h('time', { datetime: iso, title: iso }, exact.format(new Date(iso)));

/** The time of day only. */
export const momentOfDay = (iso) => h('time', { datetime: iso, title: iso }, clock(new Date(iso)));

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
export function lasted(from, to) {
  let rest = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
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
