/** The time of day of an instant in UTC, for people: 19:50:00. */
export const timeOfDay = (instant: string) => instant.slice(11, 19);

/** With its day: 2026-03-31 19:50:00. */
export const dateAndTime = (instant: string) => `${instant.slice(0, 10)} ${timeOfDay(instant)}`;

/** With its day only where that is another one than the day of `begun`. */
export const timeOrDateAndTime = (begun: string, instant: string) =>
  begun.slice(0, 10) === instant.slice(0, 10) ? timeOfDay(instant) : dateAndTime(instant);

/** How an instant is told, so that all of a page tell theirs alike. */
export type FormatInstant = (instant: string) => string;

/** From when until when: `until` the end that is due, or `to` the one that was, where that is known. */
export function spanOf(begun: string, end: { due: string } | { was: string | undefined }, at: FormatInstant): string {
  if ('due' in end) return `${at(begun)} until ${at(end.due)}`;
  return end.was === undefined ? `from ${at(begun)}` : `${at(begun)} to ${at(end.was)}`;
}
