import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world';

/** What runs are played by, in milliseconds since 1970. */
export interface Clock {
  now: () => Promise<number>;
  until: (atMs: number) => Promise<void>;
  /** Nobody acts in this time before something is due. */
  stillBeforeDueMs: number;
}

/** The clock of the server went no faster than the one on the wall, although nobody did anything. */
export class ClockStalled extends Error {}

/**
 * The server that skips time loses a workflow for good when a timer fires while the task that cancels it is under way
 * (temporalio/sdk-java#3088). Tasks are over within this but on a very busy machine.
 */
const stillBeforeDueMs = 3_000;

/** A sleep of any length is skipped in far less than this on the wall. */
const stallTimeoutMs = 15_000;

/** The clock of a server that skips time. For one player: another would see time pass while it acts. */
export function skippingClock({ env }: World): Clock {
  const now = () => env.currentTimeMs();
  const until = async (atMs: number) => {
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
  return { now, until, stillBeforeDueMs };
}

/** The clock on the wall. */
export const wallClock: Clock = {
  now: async () => Date.now(),
  until: (atMs) => pause(Math.max(1, atMs - Date.now())),
  stillBeforeDueMs: 0,
};
