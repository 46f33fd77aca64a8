import { useEffect } from 'preact/hooks';
import { queue, refreshQuietly } from './queue';

/** A person waits for the decision, so a new review must appear soon. One request per interval is far below the limits of a client. */
const intervalMs = 20_000;

/**
 * Refreshes the queue while the list is shown. After the reviewer has loaded a second page, there is no refresh, because a refresh would
 * remove this page. `isLoading`: whether a request of the list is running.
 */
export function useLiveQueue(isLoading: boolean): void {
  useEffect(() => {
    if (isLoading) return undefined;
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (!document.hidden && queue.get().isLoaded && queue.get().pages === 1) void refreshQuietly(controller.signal);
    }, intervalMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [isLoading]);
}
