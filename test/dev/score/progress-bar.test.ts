import { createProgressBar } from '../../../dev/score/progress-bar';

/** Processes ten lines a second for `spanMs`, and returns the output. */
function run(
  spanMs: number,
  { isTTY, plain = false, knowsTotal = true }: { isTTY: boolean; plain?: boolean; knowsTotal?: boolean },
) {
  let nowMs = 0;
  let screen = '';
  const progress = createProgressBar({ isTTY, write: (text) => void (screen += text) }, plain, () => nowMs);
  for (; nowMs <= spanMs; nowMs += 100) {
    progress.advance({ lines: nowMs / 100, share: knowsTotal ? nowMs / spanMs : undefined });
  }
  progress.end();
  return screen;
}

it.each([true, false])('a command that takes less than two seconds prints no progress (terminal: %s)', (isTTY) => {
  expect(run(1_900, { isTTY })).toBe('');
});

it('progress on a terminal is a bar in one line', () => {
  const screen = run(10_000, { isTTY: true });
  expect(screen).toContain(`\r${'█'.repeat(15)}${'░'.repeat(15)} 50 % 50 lines 5 s `);
  expect(screen.indexOf('\n')).toBe(screen.length - 1);
});

it('progress in a log is dots, with counts from time to time', () => {
  expect(run(14_000, { isTTY: false })).toBe(' 14 % 20 lines 2 s .... 85 % 120 lines 12 s .\n');
});

it('progress with `plain` is the same on a terminal as in a log', () => {
  expect(run(10_000, { isTTY: true, plain: true })).toBe(run(10_000, { isTTY: false }));
});

it('progress has no percentage when the total is unknown', () => {
  expect(run(3_000, { isTTY: false, knowsTotal: false })).toBe(' 20 lines 2 s \n');
});
