const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;

/** Pauses after a failed attempt to deliver an event. Short at first, because most outages are deployments. */
const pauses = [
  5,
  30,
  2 * minuteSeconds,
  10 * minuteSeconds,
  30 * minuteSeconds,
  hourSeconds,
  2 * hourSeconds,
  4 * hourSeconds,
];
/** Nobody repairs a server much more often than three times a day. */
const longestPause = 8 * hourSeconds;

/** Seconds between the attempt with a number, from 1, and the next one. */
export const pauseAfterAttempt = (attempt: number): number => pauses[attempt - 1] ?? longestPause;
