/** Where progress is shown. */
export interface OutputStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Runs shorter than this stay silent: a person waits that long without wondering. */
const silentMs = 2_000;
/** A bar is drawn anew at most so often; a log gets a dot each time the second span is over. */
const redrawMs = 120;
const dotMs = 2_000;
const dotsPerFigure = 5;
const barWidth = 30;

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;

function bar(share: number): string {
  const full = Math.round(share * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${Math.floor(share * 100)} %`;
}

/** How far a run has come: `share` from 0 to 1, undefined when the whole is not known. */
export interface Progress {
  lines: number;
  share: number | undefined;
}

/**
 * Shows a run that takes longer than two seconds: on a terminal as a bar, in a log as sparse dots. Plain screens are
 * treated as logs. Answers what to call as the run goes on, and what to call at its end.
 */
export function createProgressBar(screen: OutputStream, plain: boolean, now: () => number = Date.now) {
  const since = now();
  const onTerminal = screen.isTTY === true && !plain;
  let [shownAt, dots] = [0, 0];
  const tell = ({ lines, share }: Progress, ms: number) => {
    const figures = `${lines.toLocaleString('en')} lines ${seconds(ms)}`;
    if (onTerminal) screen.write(`\r${share === undefined ? '' : `${bar(share)} `}${figures} `);
    else if (dots % dotsPerFigure > 0) screen.write('.');
    else screen.write(` ${share === undefined ? '' : `${Math.floor(share * 100)} % `}${figures} `);
  };
  return {
    advance(progress: Progress): void {
      const at = now();
      if (at - since < silentMs || at - shownAt < (onTerminal ? redrawMs : dotMs)) return;
      shownAt = at;
      tell(progress, at - since);
      dots += 1;
    },
    end(): void {
      if (dots > 0) screen.write('\n');
    },
  };
}
