import { h } from './elements.mjs';

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** An instant in the time zone of the browser. An invalid one is shown as it is. */
export function instant(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return h('bdi', {}, iso);
  return h('time', { datetime: iso, title: iso }, full.format(date));
}

const calendarDay = (text) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];

/** A birthdate with the age: "3 May 1990 (35 years)". It has no time zone. */
export function birthday(text, now = new Date()) {
  const iso = calendarDay(text);
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return h('bdi', {}, text);
  const [month, dayOfMonth] = [now.getMonth() - date.getUTCMonth(), now.getDate() - date.getUTCDate()];
  const years = now.getFullYear() - date.getUTCFullYear() - (month < 0 || (month === 0 && dayOfMonth < 0) ? 1 : 0);
  return h('span', {}, h('time', { datetime: iso }, day.format(date)), ` (${years} years)`);
}

export const sameDay = (one, other) => calendarDay(one) === calendarDay(other);

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const spans = new Intl.NumberFormat('en-GB');

/** The time since an instant in its largest unit: "3 hours". */
export function since(iso, nowMs = Date.now()) {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1_000);
  const [unit, length] = steps.find(([, least]) => seconds >= least) ?? [];
  if (!unit) return 'less than a minute';
  const number = Math.floor(seconds / length);
  return `${spans.format(number)} ${unit}${number === 1 ? '' : 's'}`;
}
