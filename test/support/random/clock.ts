import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world';

/** Times are milliseconds since 1970. */
export interface Clock {
  now: () => Promise<number>;
  sleepUntil: (atMs: number) => Promise<void>;
  /** For this time before the deadline of a step, the simulated person does nothing. */
  quietBeforeDeadlineMs: number;
}

/**
 * Thrown if, during a sleep, the clock runs less than twice as fast as real time: the time-skipping server has lost a workflow task, and
 * skips no more time.
 */
export class ClockStalled extends Error {}

/**
 * The time-skipping server (a test server of Temporal that skips waiting times) loses a workflow if a timer fires while a workflow task
 * cancels this timer (temporalio/sdk-java#3088). An action of the person can cause such a task. Without actions in the last three seconds
 * before a deadline, the task ends before the timer fires, except on a very busy machine.
 */
const quietBeforeDeadlineMs = 3_000;

/** A server that has lost no task skips a sleep of any length within this real time, and usually far faster. */
const stallTimeoutMs = 15_000;

/** The clock is for one person at a time, because the server skips time for all workflows. */
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

export const wallClock: Clock = {
  now: async () => Date.now(),
  sleepUntil: (atMs) => pause(Math.max(1, atMs - Date.now())),
  quietBeforeDeadlineMs: 0,
};
