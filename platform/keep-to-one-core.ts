import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores of a list as Linux writes it, such as 0-3,6 (cpuset(7), list format). */
export function readCores(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** The cores that a process may use; none where the system does not tell. */
export function coresOf(pid: number): number[] {
  try {
    return readCores(/^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '');
  } catch {
    return [];
  }
}

/**
 * Keeps this process and its threads to one of the cores that it may use, where the system can (Linux), so that it stands
 * in no one's way on the others. Which one differs from process to process.
 */
export function keepToOneCore(among: readonly number[] = coresOf(process.pid)): void {
  try {
    const core = among[process.pid % among.length];
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(process.pid)], {
      stdio: 'ignore',
    });
  } catch {
    // Elsewhere it may use all of them.
  }
}
