import type { World } from '../world';

/** What runs are played by, in milliseconds since 1970. */
export interface Clock {
  now: () => Promise<number>;
  until: (atMs: number) => Promise<void>;
}

/** The clock of a server that skips time. For one player: another would see time pass while it acts. */
export function skippingClock({ env }: World): Clock {
  const now = () => env.currentTimeMs();
  return { now, until: async (atMs) => env.sleep(Math.max(1, atMs - (await now()))) };
}

/** The clock on the wall. */
export const wallClock: Clock = {
  now: async () => Date.now(),
  until: (atMs) => new Promise((resolve) => setTimeout(resolve, Math.max(1, atMs - Date.now()))),
};
