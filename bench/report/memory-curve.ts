import { readFileSync } from 'node:fs';
import { slope } from './statistics';

/** Megabytes of a process that are in memory; undefined when it is gone or the system does not tell. */
export function residentMb(pid: number): number | undefined {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1_024;
  } catch {
    return undefined;
  }
}

/** Memory of a process over the work that it has done. */
export class MemoryCurve {
  readonly points: [done: number, mb: number][] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Samples until `end`. `done` tells how much work is behind; `read` is asked for the memory, which may be unknown. */
  begin(everyMs: number, done: () => number, read: () => number | undefined): this {
    const sample = () => {
      const mb = read();
      if (mb !== undefined) this.points.push([done(), mb]);
    };
    sample();
    this.#timer = setInterval(sample, everyMs);
    return this;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Megabytes that one unit of work adds, from `done` on: what comes before is warming up. */
  slopeFrom(done: number): number {
    return slope(this.points.filter(([at]) => at >= done));
  }

  /** The last sample at or before this much work. */
  at(done: number): number | undefined {
    return (this.points.findLast(([at]) => at <= done) ?? this.points[0])?.[1];
  }

  get peakMb(): number {
    return Math.max(0, ...this.points.map(([, mb]) => mb));
  }
}
