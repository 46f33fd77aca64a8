import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One process of this machine. The start time is necessary, because the operating system uses the id of an ended process again. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** When a process started, as text; undefined when it has ended. */
function readStartTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Z means a zombie: a process that has ended.
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when it has ended. */
export function readCommandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The process with this id; undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = readStartTime(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether this process is running. Returns false if a later process has the same id. */
export const isRunning = ({ pid, startedAt }: ProcessIdentity): boolean => readStartTime(pid) === startedAt;

/** Sends a signal. Returns false when the process has ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Waits for the process to end. Returns false on timeout. */
export async function waitForEnd(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
