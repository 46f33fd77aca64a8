import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world';

/** The clock of a simulation, in milliseconds since 1970. */
export interface Clock {
  now: () => Promise<number>;
  sleepUntil: (atMs: number) => Promise<void>;
  /** Nobody acts during this time before a deadline. */
  quietBeforeDeadlineMs: number;
}

/** Thrown if the clock of the server runs less than twice as fast as real time during a sleep. The server has then lost a task. */
export class ClockStalled extends Error {}

/**
 * The time-skipping server loses a workflow when a timer fires while a task runs that cancels this timer
 * (temporalio/sdk-java#3088). Tasks end within this time, except on a very busy machine.
 */
const quietBeforeDeadlineMs = 3_000;

/** Skipping any sleep takes far less real time than this. */
const stallTimeoutMs = 15_000;

/** The clock of a time-skipping server. It is for one person: time skips for everybody on the server. */
export function skippingClock({ env }: World): Clock {
  const now = () => env.currentTimeMs();
  const sleepUntil = async (atMs: number) => {
    let lastMs = await now();
    const abort = new AbortController();
    const sleeping = env.sleep(Math.max(1, atMs - lastMs)).then(() => true);
    try {
      while (!(await Promise.race([sleeping, pause(stallTimeoutMs, false, { signal: abort.signal })]))) {
        const [beforeMs, laterMs] = [lastMs, await now()];
        if (laterMs - beforeMs < 2 * stallTimeoutMs) throw new ClockStalled();
        lastMs = laterMs;
      }
    } finally {
      abort.abort();
    }
  };
  return { now, sleepUntil, quietBeforeDeadlineMs };
}

/** The real clock. */
export const wallClock: Clock = {
  now: async () => Date.now(),
  sleepUntil: (atMs) => pause(Math.max(1, atMs - Date.now())),
  quietBeforeDeadlineMs: 0,
};
