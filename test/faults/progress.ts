export interface Progress {
  name: string;
  confirmations: readonly [finished: number, total: number];
  kills: readonly [finished: number, total: number];
}

export type OnProgress = (progress: Progress) => void;

// The name, the bar and the counts must fit 80 columns.
const nameWidth = 20;
const barWidth = 20;
/** A confirmation can take several seconds. Until it ends, only the seconds beside the bar show that the test goes on. */
const drawEveryMs = 1_000;
/** Longer than `drawEveryMs`, to keep logs short. */
const logEveryMs = 5_000;

/** A bar on a terminal, or lines in a log. `units`: what is counted. */
export function showProgress(output: NodeJS.WriteStream, [scenarios, faults] = ['confirmations', 'kills']): OnProgress {
  const startedAt = Date.now();
  const formatCounts = ({ confirmations, kills }: Progress) =>
    `${confirmations.join('/')} ${scenarios}, ${kills.join('/')} ${faults}, ${Math.round((Date.now() - startedAt) / 1_000)} s`;
  return output.isTTY ? drawBar(output, formatCounts) : writeLines(output, formatCounts);
}

const isFinished = ({ confirmations, kills }: Progress) =>
  confirmations[0] === confirmations[1] && kills[0] === kills[1];

function drawBar(output: NodeJS.WriteStream, formatCounts: (progress: Progress) => string): OnProgress {
  let timer: NodeJS.Timeout | undefined;
  const draw = (progress: Progress) => {
    const [done, total] = progress.confirmations;
    const bar = '█'.repeat(Math.round((barWidth * done) / Math.max(1, total))).padEnd(barWidth, '░');
    output.write(`\r${progress.name.padEnd(nameWidth)} ${bar} ${formatCounts(progress)} `);
  };
  return (progress) => {
    clearInterval(timer);
    draw(progress);
    if (isFinished(progress)) output.write('\n');
    else timer = setInterval(draw, drawEveryMs, progress).unref();
  };
}

function writeLines(output: NodeJS.WriteStream, formatCounts: (progress: Progress) => string): OnProgress {
  let writtenAtMs = 0;
  return (progress) => {
    if (!isFinished(progress) && Date.now() - writtenAtMs < logEveryMs) return;
    output.write(`${progress.name.padEnd(nameWidth)} ${formatCounts(progress)}\n`);
    writtenAtMs = Date.now();
  };
}
