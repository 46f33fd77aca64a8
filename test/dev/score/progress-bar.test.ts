import { createProgressBar } from '../../../dev/score/progress-bar';

/** Processes ten lines a second for a while and returns the output. */
function run(
  spanMs: number,
  { isTTY, plain = false, share = true }: { isTTY: boolean; plain?: boolean; share?: boolean },
) {
  let nowMs = 0;
  let screen = '';
  const progress = createProgressBar({ isTTY, write: (text) => void (screen += text) }, plain, () => nowMs);
  for (; nowMs <= spanMs; nowMs += 100) {
    progress.advance({ lines: nowMs / 100, share: share ? nowMs / spanMs : undefined });
  }
  progress.end();
  return screen;
}

it.each([true, false])('prints nothing when a run is short (terminal: %s)', (isTTY) => {
  expect(run(1_900, { isTTY })).toBe('');
});

it('draws a bar on a terminal, in one line', () => {
  const screen = run(10_000, { isTTY: true });
  expect(screen).toContain(`\r${'█'.repeat(15)}${'░'.repeat(15)} 50 % 50 lines 5 s `);
  expect(screen.indexOf('\n')).toBe(screen.length - 1);
});

it('writes dots to a log, and counts from time to time', () => {
  expect(run(14_000, { isTTY: false })).toBe(' 14 % 20 lines 2 s .... 85 % 120 lines 12 s .\n');
});

it('treats a plain screen as a log', () => {
  expect(run(10_000, { isTTY: true, plain: true })).toBe(run(10_000, { isTTY: false }));
});

it('prints no percentage when the length is unknown', () => {
  expect(run(3_000, { isTTY: false, share: false })).toBe(' 20 lines 2 s \n');
});
