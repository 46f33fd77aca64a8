/** The time of day of an instant in UTC, for people: 19:50:00. */
export const clock = (instant: string) => instant.slice(11, 19);

/** With its day: 2026-03-31 19:50:00. */
export const dated = (instant: string) => `${instant.slice(0, 10)} ${clock(instant)}`;

/** With its day only where that is another one than the day of `begun`. */
export const clockSince = (begun: string, instant: string) =>
  begun.slice(0, 10) === instant.slice(0, 10) ? clock(instant) : dated(instant);

/** How an instant is told, so that all of a page tell theirs alike. */
export type TellInstant = (instant: string) => string;
