import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in clock ticks. Usual machines have 100 clock ticks per second. */
const msPerTick = 10;

interface ProcessTime {
  parent: number;
  /** CPU time of the process, and of its ended children for which it has waited. */
  ms: number;
}

/** The CPU time of one process. Undefined if it has ended. */
function readProcess(pid: number): ProcessTime | undefined {
  try {
    // Field 2 is a name in brackets that may contain spaces. After the closing bracket, field 4 (the parent) has the index 1, and fields 14
    // to 17 (own code, kernel, and both of ended children) have the indexes 11 to 14.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { parent: fields[1] ?? 0, ms: ticks * msPerTick };
  } catch {
    return undefined;
  }
}

/** The CPU time of each of these processes in ms, with all its descendants. Needs Linux. */
export function cpuTimesMs<Name extends string>(pids: Partial<Record<Name, number>>): Partial<Record<Name, number>> {
  const processes = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    const time = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (time) processes.set(Number(name), time);
  }
  const totals = new Map<number, number>();
  // Adds the time of each process to the process itself and to all its ancestors.
  for (const { parent, ms, pid } of Array.from(processes, ([pid, time]) => ({ pid, ...time })))
    for (let [one, next] = [pid, parent]; one > 1; [one, next] = [next, processes.get(next)?.parent ?? 0])
      totals.set(one, (totals.get(one) ?? 0) + ms);
  const entries = Object.entries(pids) as [Name, number][];
  return Object.fromEntries(entries.map(([name, pid]) => [name, totals.get(pid) ?? 0])) as Partial<
    Record<Name, number>
  >;
}
