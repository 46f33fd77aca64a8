/** Shorter steps print nothing. */
const silentMs = 2_000;
/** Interval of progress lines in a log. */
const logEveryMs = 30_000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const running = new Set();
let timer;
let frame = 0;

const { stdout } = process;
const tookMs = ({ since }) => Date.now() - since;
const describe = (step) => `${step.label} ${Math.round(tookMs(step) / 1_000)} s`;

/** Draws all running steps on the last line of the terminal. */
function draw() {
  const steps = [...running].filter((step) => tookMs(step) >= silentMs);
  if (steps.length === 0) return;
  frame = (frame + 1) % frames.length;
  const line = `${frames[frame]} ${steps.map(describe).join(' · ')}`;
  stdout.write(`\r\x1b[K${line.slice(0, (stdout.columns || 80) - 1)}`);
}

function log() {
  for (const step of running) {
    if (tookMs(step) < silentMs || Date.now() < (step.nextLineAt ?? 0)) continue;
    stdout.write(`  ${describe(step)} …\n`);
    step.nextLineAt = Date.now() + logEveryMs;
  }
}

/**
 * Runs one step and shows its progress and duration when it takes longer than two seconds. Steps may run in parallel. A step
 * fails when it returns false or throws.
 */
export async function showProgress(label, run) {
  const step = { label, since: Date.now() };
  running.add(step);
  timer ??= stdout.isTTY ? setInterval(draw, 120) : setInterval(log, 1_000);
  let mark = '✗';
  try {
    const result = await run();
    if (result !== false) mark = '✓';
    return result;
  } finally {
    running.delete(step);
    if (tookMs(step) >= silentMs) stdout.write(`${stdout.isTTY ? '\r\x1b[K' : ''}${mark} ${describe(step)}\n`);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}
