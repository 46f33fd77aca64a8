import { readFileSync } from 'node:fs';

/** Milliseconds that a process has computed so far; NaN where the system does not tell (it is not Linux). */
export function backendCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
