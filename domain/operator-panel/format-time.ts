/** The time of day in UTC, such as 19:50:00. */
export const timeOfDay = (instant: string) => instant.slice(11, 19);

/** Date and time, such as 2026-03-31 19:50:00. */
export const dateAndTime = (instant: string) => `${instant.slice(0, 10)} ${timeOfDay(instant)}`;

/** The time of day, with the date if it differs from the date of `start`. */
export const timeOrDateAndTime = (start: string, instant: string) =>
  start.slice(0, 10) === instant.slice(0, 10) ? timeOfDay(instant) : dateAndTime(instant);

/** Formats an instant as text. All instants of one panel use the same function. */
export type FormatInstant = (instant: string) => string;

/**
 * A time span as text. `due`: the end, if it is in the future. `was`: the end, if it is in the past. `was` is undefined if the end is not
 * known.
 */
export function formatSpan(
  start: string,
  end: { due: string } | { was: string | undefined },
  format: FormatInstant,
): string {
  if ('due' in end) return `${format(start)} until ${format(end.due)}`;
  return end.was === undefined ? `from ${format(start)}` : `${format(start)} to ${format(end.was)}`;
}
