const barWidth = 24;
/** How often the progress is drawn or written. */
const drawEveryMs = { terminal: 200, log: 5_000 };

/**
 * Shows progress as a bar on a terminal, or as lines in a log. `total`: the count at the end. Returns a function that gets the current
 * count and draws the progress again.
 */
export function startProgressBar(output: NodeJS.WriteStream, name: string, total: number): (done: number) => void {
  const startedAt = Date.now();
  const everyMs = output.isTTY ? drawEveryMs.terminal : drawEveryMs.log;
  let drawnAt = 0;
  return (done) => {
    const isDone = done >= total;
    if (!isDone && Date.now() - drawnAt < everyMs) return;
    drawnAt = Date.now();
    const bar = '█'.repeat(Math.floor((barWidth * done) / Math.max(1, total))).padEnd(barWidth, '░');
    const counts = `${done.toLocaleString('en')}/${total.toLocaleString('en')}, ${Math.round((drawnAt - startedAt) / 1_000)} s`;
    output.write(output.isTTY ? `\r${name.padEnd(24)} ${bar} ${counts} ${isDone ? '\n' : ''}` : `${name}: ${counts}\n`);
  };
}
