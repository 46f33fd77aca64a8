const intervalMs = 5_000;

/**
 * Calls `refresh` every few seconds while the page is visible, and at once when it becomes visible. Calls do not overlap. Passes
 * errors to `onError` and continues. Returns a function that stops the calls.
 */
export function startPolling(refresh, onError) {
  let [timer, isRefreshing, isStopped] = [undefined, false, false];
  const pollNow = () => void poll();
  async function poll() {
    clearTimeout(timer);
    if (isStopped || isRefreshing || document.hidden) return;
    isRefreshing = true;
    try {
      await refresh();
    } catch (error) {
      if (!isStopped) onError(error);
    } finally {
      isRefreshing = false;
    }
    if (!isStopped) timer = setTimeout(pollNow, intervalMs);
  }
  timer = setTimeout(pollNow, intervalMs);
  document.addEventListener('visibilitychange', pollNow);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', pollNow);
  };
}
