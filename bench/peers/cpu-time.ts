import { readdirSync, readFileSync } from 'node:fs';
import { serviceRole } from '../../dev/stack/postgres';

/** Linux counts CPU time in clock ticks. Usual machines have 100 clock ticks per second. */
const msPerTick = 10;

interface ProcessTime {
  parent: number;
  /** CPU time of the process, and of its ended children for which it has waited. */
  ms: number;
  /** The command line. A Postgres process writes its user and its database into it. */
  command: string;
}

/** The CPU times of all processes of this machine at one moment, by process id. */
export type CpuTimes = ReadonlyMap<number, ProcessTime>;

/** Undefined if the process has ended. */
function readProcess(pid: number): ProcessTime | undefined {
  try {
    // Field 2 is a name in brackets that may contain spaces. After the closing bracket, field 4 (the parent) has the index 1, and fields 14
    // to 17 (own code, kernel, and both of ended children) have the indexes 11 to 14.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { parent: fields[1] ?? 0, ms: ticks * msPerTick, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

/** Needs Linux. */
export function readCpuTimes(): CpuTimes {
  const times = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    const time = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (time) times.set(Number(name), time);
  }
  return times;
}

/** CPU time of a process and its descendants from `before` to `after`, in ms. */
export function cpuMsOf(pid: number, before: CpuTimes, after: CpuTimes): number {
  const total = (times: CpuTimes) => {
    const isBelow = (one: number): boolean => one === pid || (one > 1 && isBelow(times.get(one)?.parent ?? 0));
    return [...times].reduce((sum, [one, { ms }]) => sum + (isBelow(one) ? ms : 0), 0);
  };
  return total(after) - total(before);
}

/**
 * CPU time of the connections to one database from `before` to `after`, in ms. Other sides use the same server, so its other connections do
 * not count. Its background processes, such as the writer of the WAL, do not count either. `pid`: of the server.
 */
export function databaseCpuMs(pid: number, database: string, before: CpuTimes, after: CpuTimes): number {
  const title = `postgres: ${serviceRole} ${database} `;
  const connections = [...after].filter(([, { parent, command }]) => parent === pid && command.startsWith(title));
  return connections.reduce((sum, [one, { ms }]) => sum + ms - (before.get(one)?.ms ?? 0), 0);
}
