import { h } from './elements.mjs';

const dateTimeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** An element with a time in the time zone of the browser. An invalid time is shown as it is. */
export function timeElement(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return h('bdi', {}, iso);
  return h('time', { datetime: iso, title: iso }, dateTimeFormat.format(date));
}

const calendarDay = (text) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];

/** An element with a birthdate and the age: "3 May 1990 (35 years)". A birthdate has no time zone. */
export function birthdateElement(text, now = new Date()) {
  const iso = calendarDay(text);
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return h('bdi', {}, text);
  const [monthDifference, dayDifference] = [now.getMonth() - date.getUTCMonth(), now.getDate() - date.getUTCDate()];
  const years =
    now.getFullYear() -
    date.getUTCFullYear() -
    (monthDifference < 0 || (monthDifference === 0 && dayDifference < 0) ? 1 : 0);
  return h('span', {}, h('time', { datetime: iso }, dateFormat.format(date)), ` (${years} years)`);
}

export const isSameDay = (one, other) => calendarDay(one) === calendarDay(other);

const timeUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const numberFormat = new Intl.NumberFormat('en-GB');

/** The time since an instant, in the largest unit: "3 hours". */
export function timeSince(iso, nowMs = Date.now()) {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1_000);
  const [unit, unitSeconds] = timeUnits.find(([, least]) => seconds >= least) ?? [];
  if (!unit) return 'less than a minute';
  const number = Math.floor(seconds / unitSeconds);
  return `${numberFormat.format(number)} ${unit}${number === 1 ? '' : 's'}`;
}
