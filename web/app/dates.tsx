import { appTexts } from './app-texts';
import { currentLanguage, locales } from './language';
import { useStore } from './store';
import { useTexts } from './use-texts';

/** The locale of dates and numbers. */
export const useLocale = () => locales[useStore(currentLanguage)];

/** A time in the time zone of the browser. An invalid time is shown as it is. */
export function Time({ iso }: { iso: string }) {
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return <bdi>{iso}</bdi>;
  return (
    <time datetime={iso} title={iso}>
      {format.format(date)}
    </time>
  );
}

/** The day of an ISO date or ISO time, such as `1990-05-03`. */
const calendarDay = (text: string) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];

/** Whether two ISO dates or ISO times begin with the same day, such as `1990-05-03`. Time zones are ignored. */
export const isSameDay = (one: string, other: string) => calendarDay(one) === calendarDay(other);

/** The full years from a birthdate until today. */
function yearsSince(date: Date): number {
  const now = new Date();
  const months = now.getMonth() - date.getUTCMonth();
  const isBeforeBirthday = months < 0 || (months === 0 && now.getDate() < date.getUTCDate());
  return now.getFullYear() - date.getUTCFullYear() - (isBeforeBirthday ? 1 : 0);
}

/** A birthdate and the age, such as "3 May 1990 (35 years)". A birthdate has no time zone. */
export function Birthdate({ text }: { text: string }) {
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeZone: 'UTC' });
  const { age } = useTexts(appTexts);
  const day = calendarDay(text);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return <bdi>{text}</bdi>;
  return (
    <span>
      <time datetime={day}>{format.format(date)}</time> ({age(yearsSince(date))})
    </span>
  );
}

/** Each unit with its length in seconds. */
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a function that names the time since an instant, in the largest possible unit, such as "3 hours". */
export function useTimeSince(): (iso: string) => string {
  const locale = useLocale();
  const { lessThanAMinute } = useTexts(appTexts);
  return (iso) => {
    const seconds = (Date.now() - Date.parse(iso)) / 1_000;
    const found = units.find(([, least]) => seconds >= least);
    if (!found) return lessThanAMinute;
    const [unit, least] = found;
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
      Math.floor(seconds / least),
    );
  };
}
