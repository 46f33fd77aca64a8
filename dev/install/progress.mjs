/** A step of the command, such as a download, prints nothing if it takes less time than this. */
const silentMs = 2_000;
/** Interval of the lines of a step that is still running: on a terminal, one line changes each second. */
const intervalMs = process.stdout.isTTY ? 1_000 : 30_000;

const runningSteps = new Set();
const describe = ({ label, since }) => `${label} ${Math.round((Date.now() - since) / 1_000)} s`;
const isShown = ({ since }) => Date.now() - since >= silentMs;

/** Shows that a step is still running. The last line of a terminal shows all running steps. */
function show(step) {
  if (!process.stdout.isTTY) return process.stdout.write(`… ${describe(step)}\n`);
  const text = [...runningSteps].filter(isShown).map(describe).join(' · ');
  return process.stdout.write(`\r\x1b[K… ${text.slice(0, (process.stdout.columns || 80) - 3)}`);
}

/**
 * Runs one step and shows its progress and duration when it takes longer than two seconds. Steps may run in parallel. A step
 * fails when it returns false or throws. Returns the result of the step.
 */
export async function runWithProgress(label, run) {
  const step = { label, since: Date.now() };
  runningSteps.add(step);
  const timers = [setTimeout(show, silentMs, step), setInterval(show, intervalMs, step)];
  let mark = '✗';
  try {
    const result = await run();
    if (result !== false) mark = '✓';
    return result;
  } finally {
    runningSteps.delete(step);
    timers.forEach(clearTimeout);
    if (isShown(step)) process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${mark} ${describe(step)}\n`);
  }
}
