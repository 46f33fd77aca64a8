/** Steps shorter than this stay silent: a person waits that long without wondering. */
const silentMs = 2_000;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const seconds = (since) => `${Math.round((Date.now() - since) / 1_000)} s`;

function drawOnTerminal(label, since) {
  let frame = 0;
  const timer = setInterval(() => {
    frame = (frame + 1) % frames.length;
    process.stdout.write(`\r${frames[frame]} ${label} ${seconds(since)} `);
  }, 120);
  return (mark) => {
    clearInterval(timer);
    process.stdout.write(`\r${mark} ${label} ${seconds(since)} \n`);
  };
}

function drawInLog(label, since) {
  process.stdout.write(`  ${label} .`);
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    process.stdout.write(ticks % 5 === 0 ? ` ${seconds(since)} ` : '.');
  }, 2_000);
  return (mark) => {
    clearInterval(timer);
    process.stdout.write(` ${mark} ${seconds(since)}\n`);
  };
}

/** Runs one step. When it takes longer than two seconds the terminal shows that it lives, and how long it took. */
export async function showProgress(label, step) {
  const since = Date.now();
  let finish;
  const timer = setTimeout(() => {
    finish = process.stdout.isTTY ? drawOnTerminal(label, since) : drawInLog(label, since);
  }, silentMs);
  try {
    const result = await step();
    finish?.('✓');
    return result;
  } catch (error) {
    finish?.('✗');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
