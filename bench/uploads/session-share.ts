import { readFileSync, writeFileSync } from 'node:fs';

/** The share of the cores that the processes of this terminal have together, where Linux gives one (sched(7), autogroup). */
const file = '/proc/self/autogroup';
const leastShare = '19';

/** Takes all but the least share from the processes of this terminal. Gives what gives it back. */
export function lowerSessionShare(): () => void {
  try {
    const before = /nice (-?\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '0';
    writeFileSync(file, leastShare);
    return () => writeFileSync(file, before);
  } catch {
    return () => undefined;
  }
}
