/** Work that a process repeats. */
export interface Rounds {
  /** Does the work now. Calls during a round share it. Never rejects. */
  run: () => Promise<void>;
  stop: () => void;
}

/**
 * Repeats work at an interval, in milliseconds. A round that is due while the last one still runs is skipped. `onError` gets the error of a
 * round: nothing depends on a single one, because the next one does the work.
 */
export function startRounds(intervalMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Rounds {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(() => void run(), intervalMs).unref();
  return { run, stop: () => clearInterval(timer) };
}
