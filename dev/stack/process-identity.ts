import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One process of this machine. Process ids are used again; together with the time of its start the id is unique. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

function readStart(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; it only waits for its parent to notice.
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when it is gone. */
export function readCommandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Who runs under this id now; undefined when nobody does. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = readStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** True while that very process runs, not one that got its id later. */
export const isRunning = ({ pid, startedAt }: ProcessIdentity): boolean => readStart(pid) === startedAt;

/** Sends a signal; answers false when the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Waits until the process is gone; answers false when it is not within that time. */
export async function waitForEnd(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
