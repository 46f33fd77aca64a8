import { readFileSync } from 'node:fs';
import { slope } from './statistics';

/** The resident memory of a process in MB; undefined when it has ended, and on systems other than Linux. */
export function residentMb(pid: number): number | undefined {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1_024;
  } catch {
    return undefined;
  }
}

/** Memory of a process as a function of the work that it has done. */
export class MemoryCurve {
  /** The measurements. `done`: the amount of work at this time. `mb`: the memory at this time. */
  readonly points: [done: number, mb: number][] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * Measures the memory again and again, until `stop`. `readWork` returns how much work is done. `readMb` returns the memory in MB, or
   * undefined if it is unknown.
   */
  start(everyMs: number, readWork: () => number, readMb: () => number | undefined): this {
    const sample = () => {
      const mb = readMb();
      if (mb !== undefined) this.points.push([readWork(), mb]);
    };
    sample();
    this.#timer = setInterval(sample, everyMs);
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Growth in MB per unit of work, after a warm-up of `warmUpWork` units. */
  slopeFrom(warmUpWork: number): number {
    return slope(this.points.filter(([at]) => at >= warmUpWork));
  }

  /** The memory in MB after this amount of work; undefined if nothing was measured. */
  mbAt(work: number): number | undefined {
    return (this.points.findLast(([at]) => at <= work) ?? this.points[0])?.[1];
  }

  get peakMb(): number {
    return Math.max(0, ...this.points.map(([, mb]) => mb));
  }
}
