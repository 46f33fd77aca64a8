import { setTimeout as pause } from 'node:timers/promises';

/**
 * Returns the first truthy value of the condition. Throws after `withinMs`: a healthy stack needs far less time, even on a busy machine.
 */
export async function waitUntil<Result>(
  condition: () => Promise<Result | undefined | false> | Result | undefined | false,
  withinMs = 60_000,
  everyMs = 50,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline)
      throw new Error(`The condition was not met within ${withinMs} ms: ${condition.toString()}`);
    await pause(everyMs);
  }
}
