import { useEffect } from 'preact/hooks';
import { queue, refreshQuietly } from './queue';

/** A person waits for the decision, so a new review must appear soon. One request per interval is far below the limits of a client. */
const intervalMs = 20_000;

/** Keeps the queue up to date while the list is shown. It stops while more pages are loaded, because a refresh would hide them. */
export function useLiveQueue(isIdle: boolean): void {
  useEffect(() => {
    if (!isIdle) return undefined;
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (!document.hidden && queue.get().isLoaded && queue.get().pages === 1) void refreshQuietly(controller.signal);
    }, intervalMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [isIdle]);
}
