import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process is running. Returns false for a process that has ended and whose parent has not noticed its end (a zombie). */
export function isRunning(pid: number): boolean {
  try {
    const state =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)
        : execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return state?.startsWith('Z') === false;
  } catch {
    return false;
  }
}
