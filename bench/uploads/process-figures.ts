import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for whoever asks. */
const tickMs = 10;

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Milliseconds that all threads of a process have computed so far; NaN where the system does not tell. */
export function processCpuMs(pid: number): number {
  const { ms } = readProcess(String(pid));
  return ms === 0 ? Number.NaN : ms;
}

/** User, system, and what children took that have ended, of one line of /proc/<pid>/stat; the parent before them. */
function readProcess(pid: string): { pid: number; parent: number; ms: number } {
  // The name of the program, in parentheses, may hold spaces.
  const fields = (read(`/proc/${pid}/stat`)?.split(') ').at(-1) ?? '').split(' ').map(Number);
  const ms = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * tickMs;
  return { pid: Number(pid), parent: fields[1] ?? Number.NaN, ms };
}

/** Processes that a process has begun. */
export function childrenOf(pid: number): number[] {
  return (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

/** Milliseconds that a process and all below it have computed so far. */
function familyMs(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [readProcess(name)] : []));
  const family = new Set([pid]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.reduce((sum, one) => sum + (family.has(one.pid) ? one.ms : 0), 0);
}

/**
 * Milliseconds that all cores have worked so far, and those of it that were for none of ours: for processes not begun
 * here, and for other machines on the same hardware. NaN where the system does not tell.
 */
export function machineMs(): { busy: number; others: number } {
  const [, ...fields] = read('/proc/stat')?.split('\n')[0]?.split(/\s+/) ?? [];
  const [user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields.map(Number);
  const busy = (user + nice + system + irq + softirq + steal) * tickMs;
  return { busy, others: Number.isNaN(busy) ? busy : busy - familyMs(process.pid) };
}

/** The most megabytes of a process that ever were in memory, as the kernel counts; NaN where it does not tell. */
export function mostResidentMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]) / 1_024;
}
