/** Steps shorter than this stay silent: a person waits that long without wondering. */
const silentMs = 2_000;
/** In a log a line now and then shows that a step is alive. */
const logEveryMs = 30_000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const running = new Set();
let timer;
let frame = 0;

const { stdout } = process;
const tookMs = ({ since }) => Date.now() - since;
const describe = (step) => `${step.label} ${Math.round(tookMs(step) / 1_000)} s`;

/** All steps that run, on the last line of the terminal. */
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
 * Runs one step; any number may run at the same time. When it takes longer than two seconds the output shows that it is
 * alive, and at the end how long it took. A step that returns false has failed, like one that throws.
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
