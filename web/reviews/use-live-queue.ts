import { useEffect } from 'preact/hooks';
import { queue, refreshQuietly } from './queue';

/**
 * The time between two refreshes. A person waits for the decision, so a new review must appear soon. A shorter time would cost more
 * requests.
 */
const intervalMs = 20_000;

/**
 * Refreshes the queue while the list is shown. Does not refresh after the reviewer has loaded a second page, because a refresh would
 * remove the second page from the list. `isLoading`: whether a request of the list is running.
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
