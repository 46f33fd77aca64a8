const everyMs = 5_000;

/**
 * Calls `refresh` every few seconds while the page is visible, and at once when it becomes visible. Calls do not overlap. Passes
 * errors to `failed` and continues. Returns a function that stops it.
 */
export function live(refresh, failed) {
  let [timer, busy, over] = [undefined, false, false];
  const wake = () => void turn();
  async function turn() {
    clearTimeout(timer);
    if (over || busy || document.hidden) return;
    busy = true;
    try {
      await refresh();
    } catch (error) {
      if (!over) failed(error);
    } finally {
      busy = false;
    }
    if (!over) timer = setTimeout(wake, everyMs);
  }
  timer = setTimeout(wake, everyMs);
  document.addEventListener('visibilitychange', wake);
  return () => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
  };
}
