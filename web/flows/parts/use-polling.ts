import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * The time between two refreshes. A person needs some seconds for each step of a flow, so more frequent refreshes would rarely show a
 * change.
 */
const intervalMs = 5_000;

/** When the newest data arrived, and whether the last refresh failed. */
export interface Freshness {
  at: Date;
  isStale: boolean;
}

/**
 * Calls `refresh` every few seconds while the page is visible, and at once when the page becomes visible. Calls do not overlap. After an
 * error, the data is stale, and the calls continue. A new `key` aborts the current call, and starts a call at once. The calls end when
 * `isActive` is false or the component disappears.
 */
export function usePolling(
  refresh: (signal: AbortSignal) => Promise<void>,
  { isActive = true, key = '' }: { isActive?: boolean; key?: string },
): Freshness {
  const [freshness, setFreshness] = useState<Freshness>(() => ({ at: new Date(), isStale: false }));
  const newest = useRef(refresh);
  newest.current = refresh;
  const lastKey = useRef(key);
  useEffect(() => {
    if (!isActive) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRefreshing = false;
    const poll = async () => {
      clearTimeout(timer);
      if (signal.aborted || isRefreshing || document.hidden) return;
      isRefreshing = true;
      try {
        await newest.current(signal);
        if (!signal.aborted) setFreshness({ at: new Date(), isStale: false });
      } catch {
        if (!signal.aborted) setFreshness(({ at }) => ({ at, isStale: true }));
      } finally {
        isRefreshing = false;
      }
      if (!signal.aborted) timer = setTimeout(() => void poll(), intervalMs);
    };
    const pollNow = () => void poll();
    timer = setTimeout(pollNow, key === lastKey.current ? intervalMs : 0);
    lastKey.current = key;
    document.addEventListener('visibilitychange', pollNow);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollNow);
    };
  }, [isActive, key]);
  return freshness;
}
