/** A stream to which the progress is written, such as stderr. */
export interface OutputStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** During this time after the start, no progress is shown. */
const silentMs = 2_000;
/** How often the bar is drawn on a terminal. */
const redrawMs = 120;
/** How often a dot is printed in a log. */
const dotMs = 2_000;
/** In a log, the progress in numbers replaces every fifth dot. */
const marksPerNumbers = 5;
const barWidth = 30;

const formatSeconds = (ms: number) => `${Math.round(ms / 1_000)} s`;

function formatBar(share: number): string {
  const filledCount = Math.round(share * barWidth);
  return `${'█'.repeat(filledCount)}${'░'.repeat(barWidth - filledCount)} ${Math.floor(share * 100)} %`;
}

/** `lines`: number of the current line. `share`: the share of the file that was read, from 0 to 1; undefined when its size is unknown. */
export interface Progress {
  lines: number;
  share: number | undefined;
}

/**
 * Shows the progress of the scoring if it takes longer than two seconds. On a terminal, the progress is a bar. In a log, or with `plain`,
 * the progress is a row of dots. Call `advance` during the scoring and `end` after it.
 */
export function createProgressBar(screen: OutputStream, plain: boolean, now: () => number = Date.now) {
  const startedAt = now();
  const isTerminal = screen.isTTY === true && !plain;
  let [lastShownAt, marks] = [0, 0];
  const print = ({ lines, share }: Progress, ms: number) => {
    const numbers = `${lines.toLocaleString('en')} lines ${formatSeconds(ms)}`;
    if (isTerminal) screen.write(`\r${share === undefined ? '' : `${formatBar(share)} `}${numbers} `);
    else if (marks % marksPerNumbers > 0) screen.write('.');
    else screen.write(` ${share === undefined ? '' : `${Math.floor(share * 100)} % `}${numbers} `);
  };
  return {
    advance(progress: Progress): void {
      const nowMs = now();
      if (nowMs - startedAt < silentMs || nowMs - lastShownAt < (isTerminal ? redrawMs : dotMs)) return;
      lastShownAt = nowMs;
      print(progress, nowMs - startedAt);
      marks += 1;
    },
    end(): void {
      if (marks > 0) screen.write('\n');
    },
  };
}
