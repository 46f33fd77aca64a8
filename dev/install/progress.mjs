/** A step of the command, such as a download, prints nothing if it takes less time than this. */
const silentMs = 2_000;
/** Interval of progress lines in a log. */
const logEveryMs = 30_000;
/** The characters of the moving symbol, which shows on a terminal that the command is still working. */
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const runningSteps = new Set();
let timer;
let frame = 0;

const { stdout } = process;
const elapsedMs = ({ since }) => Date.now() - since;
const describe = (step) => `${step.label} ${Math.round(elapsedMs(step) / 1_000)} s`;

/** Draws all running steps on the last line of the terminal. */
function draw() {
  const steps = [...runningSteps].filter((step) => elapsedMs(step) >= silentMs);
  if (steps.length === 0) return;
  frame = (frame + 1) % frames.length;
  const line = `${frames[frame]} ${steps.map(describe).join(' · ')}`;
  stdout.write(`\r\x1b[K${line.slice(0, (stdout.columns || 80) - 1)}`);
}

function printLog() {
  for (const step of runningSteps) {
    if (elapsedMs(step) < silentMs || Date.now() < (step.nextLineAt ?? 0)) continue;
    stdout.write(`  ${describe(step)} …\n`);
    step.nextLineAt = Date.now() + logEveryMs;
  }
}

/**
 * Runs one step and shows its progress and duration when it takes longer than two seconds. Steps may run in parallel. A step
 * fails when it returns false or throws. Returns the result of the step.
 */
export async function runWithProgress(label, run) {
  const step = { label, since: Date.now() };
  runningSteps.add(step);
  timer ??= stdout.isTTY ? setInterval(draw, 120) : setInterval(printLog, 1_000);
  let mark = '✗';
  try {
    const result = await run();
    if (result !== false) mark = '✓';
    return result;
  } finally {
    runningSteps.delete(step);
    if (elapsedMs(step) >= silentMs) stdout.write(`${stdout.isTTY ? '\r\x1b[K' : ''}${mark} ${describe(step)}\n`);
    if (runningSteps.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}
