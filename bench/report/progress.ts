const barWidth = 24;
/** On a terminal the bar moves often enough to be seen to; in a log a line now and then tells that the run lives. */
const drawEveryMs = { terminal: 200, log: 5_000 };

/** Shows how far a step is: a bar that moves on a terminal, lines in a log. Call it as often as you like. */
export function showProgress(output: NodeJS.WriteStream, name: string, all: number): (done: number) => void {
  const begun = Date.now();
  const everyMs = output.isTTY ? drawEveryMs.terminal : drawEveryMs.log;
  let drawnAt = 0;
  return (done) => {
    const over = done >= all;
    if (!over && Date.now() - drawnAt < everyMs) return;
    drawnAt = Date.now();
    const bar = '█'.repeat(Math.floor((barWidth * done) / Math.max(1, all))).padEnd(barWidth, '░');
    const counts = `${done.toLocaleString('en')}/${all.toLocaleString('en')}, ${Math.round((drawnAt - begun) / 1_000)} s`;
    output.write(output.isTTY ? `\r${name.padEnd(24)} ${bar} ${counts} ${over ? '\n' : ''}` : `${name}: ${counts}\n`);
  };
}
